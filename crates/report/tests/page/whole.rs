//! The page as a whole: well-formed, inert, the same every time, and not too large.

use std::collections::BTreeSet;
use std::time::Instant;

use report::arms::NamedRun;
use report::html::{Options, Part, report};
use report::visible::is_hidden;
use scraper::{Html, Selector};
use trace::rows::RunRows;

use crate::{common, runs};

/// The page of a run.
pub(crate) fn page(rows: &RunRows, cells: usize) -> String {
    let options =
        Options { margin: 0.02, cells, date: None, command: Some("bench report run".into()) };
    let facts = vec![("filter".to_owned(), runs::HOSTILE.to_owned())];
    let part = Part { run: NamedRun { name: "run <1>", rows }, facts };
    report(&[part], &options).unwrap().html
}

/// Elements that do something, or fetch something.
const ACTIVE: &str = "script, iframe, object, embed, img, form, input, button, base, link:not([rel=icon]), \
                      audio, video, source, meta[http-equiv=refresh], foreignObject, use, image, animate, set";

/// Checks that a page is one that a browser reads as it was meant, and that does nothing.
fn check(text: &str) -> Html {
    let html = Html::parse_document(text);
    assert!(html.errors.is_empty(), "not well-formed: {:?}", html.errors);
    let select = |css: &str| Selector::parse(css).unwrap();
    let active: Vec<String> =
        html.select(&select(ACTIVE)).map(|element| element.value().name().to_owned()).collect();
    assert!(active.is_empty(), "{active:?}");
    let mut ids = BTreeSet::new();
    for element in html.select(&select("*")) {
        for (name, value) in element.value().attrs() {
            assert!(!name.starts_with("on"), "{name}={value}");
            if let "href" | "src" | "xlink:href" | "action" | "srcset" = name {
                assert!(value.starts_with('#') || value.starts_with("data:"), "{name}={value}");
            }
            if name == "id" {
                assert!(ids.insert(value.to_owned()), "{value} stands twice");
            }
        }
    }
    for link in html.select(&select("a[href^='#']")) {
        let target = &link.value().attr("href").unwrap()[1..];
        assert!(ids.contains(target), "nothing is at #{target}");
    }
    assert!(!text.contains("@import") && !text.contains("url("), "the style fetches something");
    assert!(!text.chars().any(is_hidden), "a character hides");
    html
}

#[test]
fn a_page_is_well_formed_and_every_chart_has_a_title_and_data() {
    let rows = runs::traced();
    let text = page(&rows, 10);
    let html = check(&text);
    let select = |css: &str| Selector::parse(css).unwrap();
    let charts: Vec<_> = html.select(&select("main > section:has(svg)")).collect();
    assert_eq!(charts.len(), 7);
    for chart in charts {
        let id = chart.value().id().unwrap();
        assert!(chart.select(&select("h2")).next().is_some(), "{id}");
        for svg in chart.select(&select("svg")) {
            let title = svg.select(&select("title")).next().unwrap().text().collect::<String>();
            assert!(!title.is_empty(), "{id}");
        }
        assert!(chart.select(&select("details table tbody tr")).next().is_some(), "{id}");
        let csv = chart.select(&select("a[download$='.csv']")).next().unwrap();
        assert!(csv.value().attr("href").unwrap().starts_with("data:text/csv"), "{id}");
    }
    // The one traced cell has a section, and the table of pairs leads to it.
    let episode = html.select(&select("#episodes .cell div[id^='cell-']")).next().unwrap();
    let anchor = format!("#pairs a[href='#{}']", episode.value().id().unwrap());
    assert!(html.select(&select(&anchor)).next().is_some(), "{anchor}");
    assert_eq!(text, page(&rows, 10), "the same rows give the same bytes");
}

#[test]
fn what_owners_said_unasked_stands_with_the_approvals_and_nowhere_else() {
    let mut rows = runs::run();
    let title = "What owners said unasked";
    assert!(!page(&rows, 0).contains(title), "nobody spoke");
    for cell in &mut rows.cells {
        cell.owner_content = Some(1);
        cell.owner_widened = (cell.defense == "mmu").then_some(1);
    }
    let text = page(&rows, 0);
    let html = check(&text);
    let select = |css: &str| Selector::parse(css).unwrap();
    let section = select("section");
    let sections = html.select(&section).map(|one| one.value().id().unwrap_or_default());
    let sections: Vec<&str> = sections.collect();
    let at = sections.iter().position(|id| *id == "unasked").unwrap();
    assert_eq!(sections[at - 1], "approvals");
    assert_eq!(html.select(&select("h2, h3")).filter(|one| one.inner_html() == title).count(), 1);
    let rows = html.select(&select("#unasked tbody tr")).count();
    assert!(rows >= 2, "a row a defense");
}

#[test]
fn the_same_cell_of_two_runs_has_two_sections() {
    let (before, after) = (runs::traced(), runs::traced());
    let part = |name, rows| Part { run: NamedRun { name, rows }, facts: Vec::new() };
    let options = Options { margin: 0.02, cells: 10, date: None, command: None };
    let parts = [part("before", &before), part("after", &after)];
    let html = check(&report(&parts, &options).unwrap().html);
    let select = |css: &str| Selector::parse(css).unwrap();
    assert_eq!(html.select(&select("#episodes .cell")).count(), 2);
    let linked: BTreeSet<_> = html
        .select(&select("#pairs a[href^='#cell-']"))
        .filter_map(|link| link.attr("href"))
        .collect();
    assert_eq!(linked.len(), 2, "each arm leads to its own run's cell: {linked:?}");
}

#[test]
fn an_episode_in_the_page_is_stable() {
    let rows = runs::traced();
    let html = Html::parse_document(&page(&rows, 10));
    let cell = html.select(&Selector::parse("#episodes .cell").unwrap()).next().unwrap();
    insta::assert_snapshot!(cell.html());
}

#[test]
fn what_an_attacker_wrote_stays_text() {
    let text = page(&runs::traced(), 10);
    let html = check(&text);
    for hostile in ["<script", "<img", "<b>this", "</main><style>", "href=\"https"] {
        assert!(!text.contains(hostile), "{hostile}");
    }
    let pre = Selector::parse("#episodes pre").unwrap();
    let shown: String = html.select(&pre).flat_map(|pre| pre.text()).collect();
    for left in ["<script>alert(1)</script>", "⟨U+202E⟩evil⟨U+202C⟩", "⟨U+001B⟩[2J", "&lt;ok&gt;"]
    {
        assert!(shown.contains(left), "{left} is not shown: {shown}");
    }
}

#[test]
fn an_empty_run_and_one_cell_have_a_page() {
    let text = page(&RunRows::default(), 10);
    check(&text);
    assert!(text.contains("There are no cells."), "{text}");
    let mut one = RunRows {
        cells: vec![common::cell("attack", "slack", 0, 0, "none")],
        ..RunRows::default()
    };
    one.cells[0].attack_landed = Some(true);
    check(&page(&one, 10));
    one.cells[0].status = "invalid".into();
    one.cells[0].invalid_reason = Some(runs::HOSTILE.into());
    check(&page(&one, 10));
}

#[test]
fn a_hundred_thousand_cells_have_a_page() {
    let mut rows = RunRows { latency: common::latency(), ..RunRows::default() };
    for defense in ["none", "mmu", "ask-all", "deny-all"] {
        for (user, injection) in (0..250).flat_map(|user| (0..100).map(move |task| (user, task))) {
            let mut cell = common::cell("attack", "wide", user, injection, defense);
            cell.attack_landed = Some(defense == "none" || (user * 7 + injection) % 97 == 0);
            cell.attack_partial = Some(false);
            cell.delivered = Some(true);
            cell.utility_done = Some(user % 3 > 0);
            cell.asks = u32::from(defense == "mmu" || defense == "ask-all");
            rows.cells.push(cell);
        }
    }
    let start = Instant::now();
    let text = page(&rows, 10);
    let (time, size) = (start.elapsed(), text.len());
    println!(
        "{} cells: {size} bytes in {:.1} s (without optimisation)",
        rows.cells.len(),
        time.as_secs_f64()
    );
    assert_eq!(rows.cells.len(), 100_000);
    assert!(size < 12_000_000, "{size} bytes");
    check(&text);
}
