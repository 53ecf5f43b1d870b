//! Pulling.

use std::fs;

use super::fake::{Behaviour, Fake, WELL, WHEEL};
use crate::datasets::bundle::locate_of;
use crate::datasets::error::PullError;
use crate::datasets::pull::{Options, publish, pull_of};
use crate::datasets::python::Search;
use crate::datasets::scratch::Scratch;

/// A behaviour, a part of the message it ends in, and a part of the hint.
type Failing = (&'static str, Behaviour, &'static str, &'static str);

const FAILING: [Failing; 14] = [
    ("no Python", Behaviour { version: "exit 127", ..WELL }, "found no Python: tried `", "install"),
    (
        "no Python at all",
        Behaviour { version: "echo hello", ..WELL },
        "found no Python",
        "--python",
    ),
    (
        "an old Python",
        Behaviour { version: r#"echo "3.9 $0""#, ..WELL },
        "is Python 3.9, and the export needs 3.10 or newer",
        "install Python 3.10",
    ),
    (
        "no venv",
        Behaviour { venv: "echo 'No module named venv' >&2; exit 1", ..WELL },
        "cannot make virtual environments:\n    No module named venv",
        "python3-venv",
    ),
    (
        "no ensurepip, half made",
        Behaviour {
            venv: r#"mkdir -p "$3/bin"; echo 'ensurepip is not available'; exit 1"#,
            ..WELL
        },
        "cannot make virtual environments:\n    ensurepip is not available",
        "ensurepip",
    ),
    (
        "no network",
        Behaviour { download: "seq 1 50; echo 'ERROR: no route' >&2; exit 1", ..WELL },
        "pip failed to download `agentdojo==0.1.35`:\n    44\n",
        "network",
    ),
    (
        "another file",
        Behaviour { download: r#"printf x > "${10}/agentdojo-0.1.35.tar.gz""#, ..WELL },
        "it fetched no `agentdojo-0.1.35-py3-none-any.whl`",
        "--from",
    ),
    (
        "another wheel",
        Behaviour {
            download: r#"printf wheels > "${10}/agentdojo-0.1.35-py3-none-any.whl""#,
            ..WELL
        },
        "is not the pinned one: expected sha256 ",
        "another build",
    ),
    (
        "half a wheel",
        Behaviour { download: r#"printf whe > "${10}/agentdojo-0.1.35-py3-none-any.whl""#, ..WELL },
        "(5 bytes), got ",
        "cut short",
    ),
    (
        "a dependency's hash",
        Behaviour { install: "echo 'ERROR: HASHES DO NOT MATCH' >&2; exit 1", ..WELL },
        "pip failed to install the pinned packages:\n    ERROR: HASHES DO NOT MATCH",
        "--from",
    ),
    (
        "an exporter that stops halfway",
        Behaviour { export: r#"printf bun > "$7"; echo 'KeyError: 1' >&2; exit 1"#, ..WELL },
        "the exporter failed:\n    KeyError: 1",
        "another Python",
    ),
    (
        "an exporter that writes nothing",
        Behaviour { export: "true", ..WELL },
        "its file cannot be read",
        "another Python",
    ),
    (
        "another bundle",
        Behaviour { export: r#"printf bundles > "$7""#, ..WELL },
        "(6 bytes), got 114b245d04582869094531c97bc73bff73e33795d966c76c553a72668ca59219 (7 bytes)",
        "report the digest",
    ),
    (
        "a full disk",
        Behaviour {
            export: "echo 'OSError: [Errno 28] No space left on device' >&2; exit 1",
            ..WELL
        },
        "no space left in `",
        "BENCH_CACHE",
    ),
];

#[test]
fn every_failure_says_what_was_in_the_way_and_leaves_nothing() {
    for (name, behaviour, message, hint) in FAILING {
        let fake = Fake::new(behaviour);
        let error = fake.pull(&Options::default()).expect_err(name);
        assert!(error.to_string().contains(message), "{name}: {error}");
        assert!(error.hint().is_some_and(|text| text.contains(hint)), "{name}: {error:?}");
        assert_eq!(error.exit_code(), 3, "{name}");
        assert_eq!(fake.files(), Vec::<String>::new(), "{name}");

        fake.behave(WELL);
        fake.pull(&Options::default()).expect("a failed pull is in nobody's way");
        assert_eq!(fs::read(fake.cached()).unwrap(), b"bundle", "{name}");
    }
}

#[test]
fn a_pull_leaves_the_bundle_alone_and_a_second_one_does_nothing() {
    let fake = Fake::new(WELL);
    let first = fake.pull(&Options::default()).unwrap();
    assert!(first.fresh);
    assert_eq!(first.located.path, fake.cached());
    assert_eq!(
        fake.files(),
        [fake.cached().strip_prefix(&fake.places.cache).unwrap().display().to_string()]
    );

    fake.behave(Behaviour { version: "exit 1", ..WELL });
    let second = fake.pull(&Options::default()).expect("nothing runs if the bundle is here");
    assert!(!second.fresh);
    assert_eq!(second.located, first.located);
    let forced = fake.pull(&Options { force: true, ..Options::default() });
    assert!(matches!(forced, Err(PullError::NoPython { .. })));
    assert_eq!(fs::read(fake.cached()).unwrap(), b"bundle");
}

#[test]
fn each_step_is_announced_in_one_line() {
    let fake = Fake::new(WELL);
    let mut lines = Vec::new();
    let search = Search { named: Some(fake.path("python3")), path: None };
    pull_of(fake.recipe(), &search, &fake.places, &Options::default(), &mut |line| {
        lines.push(line.to_owned());
    })
    .unwrap();
    assert!(lines.iter().all(|line| !line.contains('\n')));
    lines.retain(|line| !line.starts_with("using Python 3.11 (`/"));
    assert_eq!(
        lines,
        [
            "looking for Python",
            "making a virtual environment",
            "downloading agentdojo==0.1.35 with pip",
            "checking the wheel's digest",
            "installing the pinned packages with pip",
            "exporting with upstream's own code",
            "checking the bundle's digest",
            "moving the bundle into place",
        ]
    );
}

#[test]
fn a_bundle_that_is_not_the_pinned_one_is_pulled_again() {
    let fake = Fake::new(WELL);
    for content in ["", "bundl", "bundles"] {
        fake.pull(&Options::default()).unwrap();
        fs::write(fake.cached(), content).unwrap();
        assert!(fake.pull(&Options::default()).unwrap().fresh, "`{content}`");
        assert_eq!(fs::read(fake.cached()).unwrap(), b"bundle");
        assert_eq!(fake.files().len(), 1);
    }
}

#[test]
fn a_wheel_or_its_folder_replaces_the_index() {
    let fake = Fake::new(Behaviour { download: "echo offline >&2; exit 1", ..WELL });
    fake.write(&format!("wheels/{WHEEL}"), "wheel");
    let renamed = fake.write("renamed.whl", "wheel");
    for from in [fake.path("wheels"), fake.path("wheels").join(WHEEL), renamed] {
        let options = Options { from: Some(from), force: true, ..Options::default() };
        assert!(fake.pull(&options).unwrap().fresh);
        fs::remove_dir_all(&fake.places.cache).unwrap();
    }
}

#[test]
fn a_wrong_wheel_is_named_as_it_was_given() {
    let fake = Fake::new(WELL);
    let short = fake.write(&format!("short/{WHEEL}"), "whe");
    let cases = [
        (short.clone(), format!("the wheel `{}` is not the pinned one", short.display())),
        (fake.path("short"), format!("the wheel `{}` is not the pinned one", short.display())),
        (fake.path("nowhere"), format!("found no wheel at `{}`", fake.path("nowhere").display())),
        (fake.path("."), format!("found no wheel at `{}`", fake.path(".").join(WHEEL).display())),
    ];
    for (from, message) in cases {
        let error =
            fake.pull(&Options { from: Some(from), ..Options::default() }).unwrap_err().to_string();
        assert!(error.starts_with(&message), "{error}");
        assert_eq!(fake.files(), Vec::<String>::new());
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let mut fake = Fake::new(WELL);
    let file = fake.write("file", "");
    let mut closed = fake.path("closed");
    fs::create_dir(&closed).unwrap();
    let mut permissions = fs::metadata(&closed).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&closed, permissions).unwrap();
    if fs::write(closed.join("probe"), "").is_ok() {
        // The superuser writes everywhere but where the kernel itself refuses.
        closed = "/proc/self".into();
    }
    for below in [file, closed] {
        fake.places.cache = below.join("cache");
        let error = fake.pull(&Options::default()).unwrap_err();
        let message = format!("failed to write `{}", fake.places.cache.display());
        assert!(error.to_string().starts_with(&message), "{error}");
        assert!(error.hint().unwrap().contains("BENCH_CACHE"));
    }
}

#[test]
fn what_lies_in_the_way_of_a_bundle_makes_room_unless_it_is_the_same() {
    let fake = Fake::new(WELL);
    let home = fake.places.home(&fake.manifest);
    let publish_one = || {
        let scratch = Scratch::new(&fake.places.cache).unwrap();
        let folder = scratch.folder("bundle").unwrap();
        fs::write(folder.join("bundle.json"), "bundle").unwrap();
        fs::write(folder.join("ours"), "").unwrap();
        publish(fake.recipe(), &scratch, &folder, &fake.places).unwrap();
    };

    // Somebody was faster with the same bundle: theirs stays.
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join("bundle.json"), "bundle").unwrap();
    publish_one();
    assert!(!home.join("ours").exists());

    // A broken bundle, and a file where the folder should be, do not.
    fs::write(home.join("bundle.json"), "bun").unwrap();
    publish_one();
    assert!(home.join("ours").exists());
    fs::remove_dir_all(&home).unwrap();
    fs::write(&home, "").unwrap();
    publish_one();
    assert_eq!(fs::read(fake.cached()).unwrap(), b"bundle");
}

#[test]
fn pulls_at_the_same_time_end_in_one_bundle() {
    let fake = &Fake::new(WELL);
    std::thread::scope(|scope| {
        let pulls: Vec<_> =
            (0..4).map(|_| scope.spawn(|| fake.pull(&Options::default()).unwrap())).collect();
        for pull in pulls {
            assert_eq!(pull.join().unwrap().located.path, fake.cached());
        }
    });
    assert_eq!(fake.files().len(), 1);
}

#[test]
fn python_is_the_first_in_the_path_that_is_neither_too_old_nor_untried() {
    let fake = Fake::new(Behaviour { version: r#"echo "3.9 $0""#, ..WELL });
    let search = Search { named: None, path: Some(fake.path("").into()) };
    let error = search.find().unwrap_err().to_string();
    assert!(error.contains("is Python 3.9"), "{error}");

    for (version, name) in [(r#"echo "3.15 $0""#, "python"), (r#"echo "3.12 $0""#, "python3.12")] {
        // One that is untried is taken until there is one that was tried.
        let newer = Fake::new(Behaviour { version, ..WELL });
        fs::rename(newer.path("python3"), fake.path(name)).unwrap();
        assert_eq!(search.find().unwrap().program, fake.path(name));
    }

    let empty = tempfile::tempdir().unwrap();
    let search = Search { named: None, path: Some(empty.path().into()) };
    let error = search.find().unwrap_err();
    assert!(error.to_string().starts_with("found no Python: tried `python3`, `python`"), "{error}");
}

#[test]
fn a_killed_pull_leaves_no_bundle_and_the_next_one_cleans_up() {
    const NAME: &str =
        "datasets::tests::pulls::a_killed_pull_leaves_no_bundle_and_the_next_one_cleans_up";
    const FOLDER: &str = "BENCH_TEST_KILLED";
    let mut fake =
        Fake::new(Behaviour { export: r#"printf bundle > "$7"; kill -9 $PPID"#, ..WELL });
    if let Some(cache) = std::env::var_os(FOLDER) {
        // The process that is killed: its made-up Python does it, once the bundle is written.
        fake.places.cache = cache.into();
        fake.pull(&Options::default()).unwrap();
        unreachable!("the exporter killed this process");
    }
    let killed = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", NAME])
        .env(FOLDER, &fake.places.cache)
        .env("TMPDIR", fake.path(""))
        .output()
        .unwrap();
    assert_eq!(killed.status.code(), None, "{killed:?}");
    assert!(fake.files().iter().any(|name| name.ends_with("/bundle/bundle.json")));
    assert!(locate_of(&fake.manifest, &fake.places).is_err());

    fake.behave(WELL);
    fake.pull(&Options::default()).unwrap();
    assert_eq!(fake.files().len(), 1);
}
