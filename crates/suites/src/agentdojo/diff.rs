//! What differs between two environments, in the categories and paths of `deepdiff` 9.1.
//!
//! Upstream's checks compare the set of categories and the paths within them. A typed comparison of
//! the environments gives the same sets; the lists of mails, events and files that upstream leaves
//! out are not there to begin with.

use indexmap::IndexMap;
use world::calendar::{Calendar, Event};
use world::drive::{CloudDrive, File};
use world::mail::{Email, Inbox};

/// A kind of difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Category {
    /// `dictionary_item_added`
    ItemAdded,
    /// `dictionary_item_removed`
    ItemRemoved,
    /// `values_changed`
    ValuesChanged,
    /// `type_changes`
    TypeChanges,
    /// `iterable_item_added`
    IterableAdded,
    /// `iterable_item_removed`
    IterableRemoved,
}

/// A difference: its kind, where it is, and for an added item of a list the item.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    category: Category,
    path: String,
    item: Option<String>,
}

/// What differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Diff(Vec<Change>);

/// Where a mail is.
pub(crate) fn email_path(id: &str) -> String {
    format!("root.inbox.emails['{id}']")
}

/// Where an event is.
pub(crate) fn event_path(id: &str) -> String {
    format!("root.calendar.events['{id}']")
}

/// Where a file is.
pub(crate) fn file_path(id: &str) -> String {
    format!("root.cloud_drive.files['{id}']")
}

impl Diff {
    /// Whether nothing differs.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the differences are of exactly these kinds.
    pub(crate) fn is_of(&self, categories: &[Category]) -> bool {
        self.0.iter().all(|change| categories.contains(&change.category))
            && categories.iter().all(|kind| self.0.iter().any(|change| change.category == *kind))
    }

    /// Whether the paths of a kind are exactly these.
    pub(crate) fn is_at(&self, category: Category, paths: &[String]) -> bool {
        let found = || self.paths(category);
        found().all(|path| paths.iter().any(|wanted| wanted == path))
            && paths.iter().all(|wanted| found().any(|path| path == wanted))
    }

    /// Whether these are all the differences.
    pub(crate) fn is_exactly(&self, expected: &[(Category, &[String])]) -> bool {
        let kinds: Vec<Category> = expected.iter().map(|(category, _)| *category).collect();
        self.is_of(&kinds) && expected.iter().all(|(kind, paths)| self.is_at(*kind, paths))
    }

    /// The paths of a kind.
    pub(crate) fn paths(&self, category: Category) -> impl Iterator<Item = &str> {
        let of_kind = self.0.iter().filter(move |change| change.category == category);
        of_kind.map(|change| change.path.as_str())
    }

    /// The items that lists have more.
    pub(crate) fn added_items(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|change| change.item.as_deref())
    }

    /// Adds a difference.
    pub(crate) fn push(&mut self, category: Category, path: String) {
        self.0.push(Change { category, path, item: None });
    }

    /// Adds two values without parts, if they differ.
    fn value<T: PartialEq>(&mut self, path: &str, field: &str, pre: &T, post: &T) {
        if pre != post {
            self.push(Category::ValuesChanged, format!("{path}.{field}"));
        }
    }

    /// Adds what differs between two lists of texts. A longer list that begins with the other one has
    /// items more; any other difference is a change here, where `deepdiff` looks for the fewest edits:
    /// it only arises when an id was given to another record, which no check lets pass.
    fn list(&mut self, path: &str, field: &str, pre: &[String], post: &[String]) {
        let path = format!("{path}.{field}");
        if let Some(added) = post.strip_prefix(pre) {
            for (at, item) in added.iter().enumerate() {
                let path = format!("{path}[{}]", pre.len() + at);
                let category = Category::IterableAdded;
                self.0.push(Change { category, path, item: Some(item.clone()) });
            }
        } else if pre.starts_with(post) {
            self.push(Category::IterableRemoved, path);
        } else {
            self.push(Category::ValuesChanged, path);
        }
    }

    /// Adds what differs between two dictionaries. Where fewer than a third of the keys are in both,
    /// they differ as a whole. Keys that begin with `__` are not looked at.
    fn dictionary<T: PartialEq>(
        &mut self,
        path: &str,
        pre: &IndexMap<String, T>,
        post: &IndexMap<String, T>,
        deeper: fn(&mut Self, &str, &T, &T),
    ) {
        if std::ptr::eq(pre, post) {
            return;
        }
        let seen = |key: &&String| !key.starts_with("__");
        // Mostly what is new stands behind what was there.
        let same = pre.keys().zip(post.keys()).take_while(|(pre, post)| pre == post).count();
        let (kept, new) = (pre.keys().take(same), post.keys().skip(same));
        let added: Vec<_> = new.filter(seen).filter(|key| !pre.contains_key(*key)).collect();
        let (later, removed): (Vec<&String>, Vec<&String>) =
            pre.keys().skip(same).filter(seen).partition(|key| post.contains_key(*key));
        let common: Vec<_> = kept.filter(seen).chain(later).collect();
        let all = common.len() + added.len() + removed.len();
        if all > 1 && (common.len() as f64) / (all as f64) < DEEPER_FROM {
            return self.push(Category::ValuesChanged, path.to_owned());
        }
        for key in added {
            self.push(Category::ItemAdded, format!("{path}['{key}']"));
        }
        for key in removed {
            self.push(Category::ItemRemoved, format!("{path}['{key}']"));
        }
        for (at, key) in common.into_iter().enumerate() {
            let pair = match (pre.get_index(at), post.get_index(at)) {
                (Some((one, pre)), Some((other, post))) if one == key && other == key => {
                    (pre, post)
                }
                _ => (&pre[key], &post[key]),
            };
            if pair.0 != pair.1 {
                deeper(self, &format!("{path}['{key}']"), pair.0, pair.1);
            }
        }
    }
}

/// The share of common keys from which two dictionaries are compared key by key
/// (`threshold_to_diff_deeper`).
const DEEPER_FROM: f64 = 0.33;

/// Adds what differs between two inboxes.
pub(crate) fn inbox(diff: &mut Diff, pre: &Inbox, post: &Inbox) {
    diff.dictionary("root.inbox.emails", &pre.emails, &post.emails, |d, path, pre, post| {
        email(d, path, pre, post);
    });
    diff.dictionary("root.inbox.trash", &pre.trash, &post.trash, |d, path, pre, post| {
        email(d, path, pre, post);
    });
}

/// Adds what differs between two calendars.
pub(crate) fn calendar(diff: &mut Diff, pre: &Calendar, post: &Calendar) {
    diff.dictionary("root.calendar.events", &pre.events, &post.events, |d, path, pre, post| {
        event(d, path, pre, post);
    });
}

/// Adds what differs between two drives.
pub(crate) fn drive(diff: &mut Diff, pre: &CloudDrive, post: &CloudDrive) {
    diff.dictionary("root.cloud_drive.files", &pre.files, &post.files, |d, path, pre, post| {
        file(d, path, pre, post);
    });
}

fn email(diff: &mut Diff, path: &str, pre: &Email, post: &Email) {
    diff.value(path, "sender", &pre.sender, &post.sender);
    diff.list(path, "recipients", &pre.recipients, &post.recipients);
    diff.list(path, "cc", &pre.cc, &post.cc);
    diff.list(path, "bcc", &pre.bcc, &post.bcc);
    diff.value(path, "subject", &pre.subject, &post.subject);
    diff.value(path, "body", &pre.body, &post.body);
    diff.value(path, "status", &pre.status, &post.status);
    diff.value(path, "read", &pre.read, &post.read);
    diff.value(path, "timestamp", &pre.timestamp, &post.timestamp);
    diff.value(path, "attachments", &pre.attachments, &post.attachments);
}

/// Events of a calendar have no offset from UTC, so that their times are compared as they are.
fn event(diff: &mut Diff, path: &str, pre: &Event, post: &Event) {
    diff.value(path, "title", &pre.title, &post.title);
    diff.value(path, "description", &pre.description, &post.description);
    diff.value(path, "start_time", &pre.start_time, &post.start_time);
    diff.value(path, "end_time", &pre.end_time, &post.end_time);
    diff.value(path, "location", &pre.location, &post.location);
    diff.list(path, "participants", &pre.participants, &post.participants);
    diff.value(path, "all_day", &pre.all_day, &post.all_day);
    diff.value(path, "status", &pre.status, &post.status);
}

fn file(diff: &mut Diff, path: &str, pre: &File, post: &File) {
    diff.value(path, "filename", &pre.filename, &post.filename);
    diff.value(path, "content", &pre.content, &post.content);
    diff.value(path, "owner", &pre.owner, &post.owner);
    diff.value(path, "last_modified", &pre.last_modified, &post.last_modified);
    let shared = format!("{path}.shared_with");
    diff.dictionary(&shared, &pre.shared_with, &post.shared_with, |diff, path, _, _| {
        diff.push(Category::ValuesChanged, path.to_owned());
    });
    diff.value(path, "size", &pre.size, &post.size);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(keys: &[&str]) -> IndexMap<String, u8> {
        keys.iter().map(|key| ((*key).to_owned(), 0)).collect()
    }

    #[test]
    fn dictionaries_with_little_in_common_differ_as_a_whole() {
        let cases = [
            (map(&[]), map(&["1"]), Category::ItemAdded, "p['1']"),
            (map(&[]), map(&["1", "2"]), Category::ValuesChanged, "p"),
            (map(&["1"]), map(&["1", "2", "__x"]), Category::ItemAdded, "p['2']"),
            (map(&["1", "2"]), map(&["2"]), Category::ItemRemoved, "p['1']"),
        ];
        for (pre, post, category, path) in cases {
            let mut diff = Diff::default();
            diff.dictionary("p", &pre, &post, |_, _, _, _| {});
            assert!(diff.is_exactly(&[(category, &[path.to_owned()])]), "{diff:?}");
        }
    }

    #[test]
    fn lists_that_grow_have_items_more() {
        let texts =
            |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>();
        let mut diff = Diff::default();
        diff.list("p", "l", &texts(&["a"]), &texts(&["a", "b"]));
        assert!(diff.is_exactly(&[(Category::IterableAdded, &["p.l[1]".to_owned()])]));
        assert_eq!(diff.added_items().collect::<Vec<_>>(), ["b"]);
        assert!(!diff.is_of(&[Category::IterableAdded, Category::ValuesChanged]));
    }
}
