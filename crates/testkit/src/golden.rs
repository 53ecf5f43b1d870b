//! Golden rows: upstream's Python makes and judges them, the port judges them again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use suites::agentdojo::conform::{Conformance, conform};
use suites::agentdojo::{AgentDojo, VERSIONS};
use suites::datasets::{Options, Places, load_bytes, pull, upstream_venv};

/// Checks that upstream's own code answers one way only, whatever happens.
const ONE_WAY: &[&str] = &["banking/user_task_5@1.0.0", "banking/user_task_8@1.0.0"];

/// Rows from which each check must have five rows each way; with fewer rows one is enough.
pub const MANY_ROWS: u64 = 3000;

/// Calls of a tool that upstream carries out, and that it refuses: with fewer a tool is named.
const TOOL_WANTED: [usize; 2] = [10, 5];

/// Which rows are made.
#[derive(Clone, Debug)]
pub struct Rows {
    /// How many.
    pub count: u64,
    /// The seed of every choice.
    pub seed: u64,
    /// Of which of upstream's suites, separated by commas; all where it is not said.
    pub suites: Option<String>,
    /// Where they are written; in the cache where it is not said, since they hold upstream's text.
    pub out: Option<PathBuf>,
}

impl Rows {
    /// Has upstream's Python make and judge the rows, over all versions; gives their file.
    ///
    /// # Errors
    /// Upstream's package cannot be had, or the script fails.
    pub fn make(&self, places: &Places) -> Result<PathBuf, String> {
        let mut say = |line: &str| println!("{line}");
        let python = upstream_venv(places, &mut say).map_err(|error| error.to_string())?;
        let (count, seed) = (self.count.to_string(), self.seed.to_string());
        let file = self.out.clone().unwrap_or_else(|| {
            let suites = self.suites.as_ref().map_or("all".to_owned(), |one| one.replace(',', "-"));
            places.cache.join("golden").join(format!("agentdojo-{suites}-{count}-{seed}.jsonl"))
        });
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR"));
        let script = script.join("../../scripts/agentdojo_oracle.py");
        println!("golden rows: upstream's Python judges {count} rows, seed {seed}");
        let start = Instant::now();
        let mut command = Command::new(&python);
        command.arg(script).args(["--rows", &count, "--seed", &seed, "-o"]).arg(&file);
        command.args(self.suites.iter().flat_map(|suites| ["--suites", suites]));
        let output = command.output().map_err(|error| format!("{}: {error}", python.display()))?;
        let printed = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            return Err(printed.into_owned());
        }
        println!("golden rows: made in {:.1} s", start.elapsed().as_secs_f64());
        Ok(file)
    }
}

/// What judging a file of rows came to.
#[derive(Debug)]
pub struct Judged {
    conformance: Conformance,
    /// Every check of every version, by its world and its task's key, with how many rows do not hold
    /// and how many do.
    checks: BTreeMap<String, [usize; 2]>,
    /// The tools that take no argument, and so cannot refuse one.
    unfailing: BTreeSet<String>,
}

/// Judges the rows of a file.
///
/// # Errors
/// The file cannot be read, or the bundle cannot be had.
pub fn judge(places: &Places, rows: &Path) -> Result<Judged, String> {
    let bundle = if let Ok(bundle) = load_bytes(places) {
        bundle
    } else {
        pull(places, &Options::default(), &mut |line| println!("{line}"))
            .map_err(|error| error.to_string())?;
        load_bytes(places).map_err(|error| error.to_string())?
    };
    let text =
        std::fs::read_to_string(rows).map_err(|error| format!("{}: {error}", rows.display()))?;
    let start = Instant::now();
    let conformance = conform(&bundle, &text, 2).map_err(|error| error.to_string())?;
    println!("golden rows: judged here in {:.1} s", start.elapsed().as_secs_f64());
    let (mut checks, mut unfailing) = (BTreeMap::new(), BTreeSet::new());
    for version in VERSIONS {
        let suite = AgentDojo::load(&bundle, version).map_err(|error| error.to_string())?;
        for world in &suite.worlds {
            let tasks = world.user_tasks.iter().chain(&world.injection_tasks);
            checks.extend(tasks.map(|task| (format!("{}/{}", world.world, task.key()), [0, 0])));
            let opened = suite.open_with(world.world, &Vec::new());
            let opened = opened.map_err(|error| error.to_string())?.ok_or("no such world")?;
            let bare = opened.tools().iter().filter(|tool| tool.parameters.is_empty());
            unfailing.extend(bare.map(|tool| format!("{}/{}", world.world, tool.name)));
        }
    }
    for (check, counts) in conformance.each_way() {
        checks.insert(check.to_owned(), counts);
    }
    Ok(Judged { conformance, checks, unfailing })
}

/// Prints what judging came to, with the first mismatches, and names every check and tool of which
/// there are too few rows. Whether all verdicts agree, nearly all outputs, and no check is short.
pub fn report(judged: &Judged, count: u64, shown: usize) -> bool {
    let Judged { conformance, checks, unfailing } = judged;
    for (number, unjudged) in conformance.unjudged() {
        println!("row {number}: {unjudged}");
    }
    let mismatches = conformance.judged().flat_map(|(number, judged)| {
        judged.mismatches.iter().map(move |mismatch| (number, mismatch))
    });
    for (number, mismatch) in mismatches.take(shown) {
        println!(
            "row {number} ({}), {}:\n  ours:     {}\n  upstream: {}",
            mismatch.about, mismatch.field, mismatch.ours, mismatch.expected
        );
    }
    let each_way = if count >= MANY_ROWS { 5 } else { 1 };
    let mut is_covered = true;
    for (check, [no, yes]) in checks {
        if *no < each_way || *yes < each_way {
            let one_way = ONE_WAY.contains(&check.as_str());
            let why = if one_way { ": upstream answers one way only" } else { "" };
            println!("check `{check}` has {yes} rows that hold and {no} that do not{why}");
            is_covered &= one_way;
        }
    }
    let tools = conformance.tools();
    for (tool, [done, refused]) in &tools {
        if count >= MANY_ROWS && (*done < TOOL_WANTED[0] || *refused < TOOL_WANTED[1]) {
            let bare = unfailing.contains(*tool) && *done >= TOOL_WANTED[0];
            let why = if bare { ": it takes no argument" } else { "" };
            println!("tool `{tool}` has {done} calls that succeed and {refused} that fail{why}");
        }
    }
    let (verdicts, texts, errors) =
        (conformance.verdicts(), conformance.texts(), conformance.errors());
    let exceptions = (texts.n - texts.k) + (errors.n - errors.k);
    println!(
        "golden rows: {} checks, {} tools, {} outputs compared",
        checks.len(),
        tools.len(),
        texts.n
    );
    println!(
        "golden rows: {} judged, {} verdicts agree, {exceptions} output exceptions",
        verdicts.n, verdicts.k
    );
    let all_judged = conformance.unjudged().count() == 0;
    all_judged && verdicts.k == verdicts.n && exceptions * 100 < texts.n && is_covered
}
