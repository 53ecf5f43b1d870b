//! Upstream's virtual environment that stays.

use std::fs;

use super::fake::{Behaviour, Fake, WELL};

/// A Python that notes each environment it makes.
fn noting(fake: &Fake) -> usize {
    fs::read_to_string(fake.path("made")).map_or(0, |text| text.lines().count())
}

const NOTING: Behaviour = Behaviour {
    venv: r#"echo >> "$(dirname "$0")/made"; mkdir -p "$3/bin" && cp "$0" "$3/bin/python""#,
    ..WELL
};

#[test]
fn an_environment_is_made_once_and_used_again() {
    let fake = Fake::new(NOTING);
    let first = fake.upstream_venv().unwrap();
    assert!(first.starts_with(fake.places.cache.join("venvs")));
    assert_eq!(fake.upstream_venv().unwrap(), first);
    assert_eq!(noting(&fake), 1);
}

#[test]
fn an_environment_without_its_marker_or_its_python_is_made_anew() {
    let fake = Fake::new(NOTING);
    let python = fake.upstream_venv().unwrap();
    let venv = python.parent().unwrap().parent().unwrap().to_owned();
    let breakages: [fn(&std::path::Path); 3] = [
        |venv| fs::remove_file(venv.join("complete")).unwrap(),
        |venv| fs::write(venv.join("complete"), "").unwrap(),
        |venv| fs::remove_file(venv.join("bin/python")).unwrap(),
    ];
    for (times, breakage) in breakages.iter().enumerate() {
        fs::write(venv.join("stale"), "").unwrap();
        breakage(&venv);
        assert_eq!(fake.upstream_venv().unwrap(), python);
        assert_eq!(noting(&fake), times + 2);
        assert!(!venv.join("stale").exists());
    }
}

#[test]
fn an_environment_that_fails_is_removed() {
    let failing = [
        Behaviour { download: r#"printf whe > "${10}/agentdojo-0.1.35-py3-none-any.whl""#, ..WELL },
        Behaviour { install: "exit 1", ..WELL },
        Behaviour { venv: r#"mkdir -p "$3/bin"; exit 1"#, ..WELL },
    ];
    for behaviour in failing {
        let fake = Fake::new(behaviour);
        assert_eq!(fake.upstream_venv().unwrap_err().exit_code(), 3);
        assert_eq!(fake.files(), Vec::<String>::new());
    }
}

#[test]
fn environments_asked_for_at_the_same_time_are_made_once() {
    let fake = &Fake::new(NOTING);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| fake.upstream_venv().unwrap());
        }
    });
    assert_eq!(noting(fake), 1);
}
