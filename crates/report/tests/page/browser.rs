//! The page in a real browser: nothing is asked for, nothing is complained of, nothing sticks out.

use std::path::Path;

use base64::Engine as _;

use crate::chromium::{Chromium, command};
use crate::{runs, whole};

/// What sticks out of the window to the right, though nothing around it scrolls.
const OVERFLOW: &str = "(() => {
    const wide = document.documentElement.clientWidth;
    const within = element => element.closest('.scroll, pre') !== null;
    const out = [...document.body.querySelectorAll('*')]
        .filter(element => !within(element) || element.matches('.scroll, pre'))
        .filter(element => element.getBoundingClientRect().right > wide + 1)
        .map(element => element.tagName + '.' + element.className);
    return { page: document.documentElement.scrollWidth - wide, out };
})()";

/// Charts without a title, without data, or of no size; their number; and colours as they are seen.
const CHARTS: &str = "(() => {
    const figures = [...document.querySelectorAll('figure svg')];
    const bad = figures.filter(svg => {
        const box = svg.getBoundingClientRect();
        const section = svg.closest('section');
        return box.width < 100 || box.height < 50 || !svg.querySelector('title').textContent
            || !section.querySelector('h2').textContent || !section.querySelector('tbody td');
    });
    const paint = element => getComputedStyle(element).fill;
    return {
        count: figures.length,
        bad: bad.length,
        ground: getComputedStyle(document.body).backgroundColor,
        paper: paint(figures[0].querySelector('rect')),
        words: paint(figures[0].querySelector('text')),
        unpainted: figures.flatMap(svg => [...svg.querySelectorAll('[fill^=\"var\"]')])
            .filter(element => paint(element) === 'rgb(0, 0, 0)').length,
    };
})()";

fn complaints(browser: &Chromium) -> Vec<&serde_json::Value> {
    let about = [
        "Log.entryAdded",
        "Runtime.consoleAPICalled",
        "Runtime.exceptionThrown",
        "Audits.issueAdded",
    ];
    let complaint = |event: &&serde_json::Value| about.iter().any(|name| event["method"] == *name);
    browser.events.iter().filter(complaint).collect()
}

/// Addresses that the page asked for, beside itself and what it holds.
fn requests<'e>(browser: &'e Chromium, page: &Path) -> Vec<&'e str> {
    let asked =
        browser.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
    let urls = asked.filter_map(|event| event["params"]["request"]["url"].as_str());
    urls.filter(|url| !url.starts_with("data:") && !url.ends_with(page.to_str().unwrap())).collect()
}

#[test]
fn a_browser_shows_the_page_whole_in_both_themes() {
    let Some(command) = command() else {
        eprintln!("SKIPPED: there is no Chromium (set BENCH_CHROMIUM, or install one)");
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("report.html");
    std::fs::write(&path, whole::page(&runs::traced(), 10)).unwrap();
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report-page");
    std::fs::create_dir_all(&pictures).unwrap();
    let mut browser = Chromium::start(&command, dir.path());
    let mut grounds = Vec::new();
    for (theme, size) in
        [("light", (1200, 900)), ("dark", (1200, 900)), ("light", (360, 740)), ("dark", (360, 740))]
    {
        browser.look(size, theme, "screen");
        browser.open(&path);
        // Everything that can be opened, as a reader would.
        browser.value("document.querySelectorAll('details').forEach(one => one.open = true)");
        let charts = browser.value(CHARTS);
        assert_eq!(charts["bad"], 0, "{charts}");
        assert!(charts["count"].as_u64() > Some(10), "{charts}");
        assert_eq!(charts["ground"], charts["paper"], "a chart has the page's ground");
        assert_ne!(charts["words"], charts["paper"], "words stand out");
        assert_eq!(charts["unpainted"], 0, "a colour has no value: {charts}");
        grounds.push(charts["ground"].as_str().unwrap().to_owned());
        let overflow = browser.value(OVERFLOW);
        assert_eq!(overflow["page"], 0, "{theme} {size:?}: {overflow}");
        assert_eq!(overflow["out"].as_array().unwrap().len(), 0, "{theme} {size:?}: {overflow}");
        assert_eq!(requests(&browser, &path), Vec::<&str>::new());
        assert_eq!(complaints(&browser), Vec::<&serde_json::Value>::new());
        take_pictures(&mut browser, &pictures, &format!("{theme}-{}", size.0));
    }
    assert_eq!(grounds[0], grounds[2]);
    assert_eq!(grounds[1], grounds[3]);
    assert_ne!(grounds[0], grounds[1], "the themes differ");
    // Printed, a page is light whatever the reader's theme.
    browser.look((800, 1100), "dark", "print");
    assert_eq!(browser.value(CHARTS)["ground"], grounds[0].as_str());
    println!("pictures in {}", pictures.display());
}

/// A picture of each section.
fn take_pictures(browser: &mut Chromium, dir: &Path, name: &str) {
    browser.value("document.querySelectorAll('details').forEach(one => one.open = one.closest('.cell') !== null)");
    let tops = browser.value(
        "[...document.querySelectorAll('header, section')].map(one => one.getBoundingClientRect().top + scrollY)",
    );
    for (at, top) in tops.as_array().unwrap().iter().enumerate() {
        browser.value(&format!("window.scrollTo(0, {top})"));
        let png = base64::engine::general_purpose::STANDARD.decode(browser.picture()).unwrap();
        std::fs::write(dir.join(format!("{name}-{at}.png")), png).unwrap();
    }
}
