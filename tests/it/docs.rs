//! `README.md` and `docs/evidence.md` do what they say.

use std::process::Command;

use crate::guests;
use crate::place::Place;

/// Runs each command of the page's `console` blocks in a copy of `examples/`,
/// and gives the page with what they print.
fn replayed(page: &str) -> String {
    let place = Place::new();
    for entry in std::fs::read_dir(guests::root().join("examples")).expect("a folder") {
        let path = entry.expect("it can be listed").path();
        let name = path
            .file_name()
            .expect("a file")
            .to_string_lossy()
            .into_owned();
        std::fs::copy(&path, place.path(&name)).expect("the folder takes files");
    }
    let weigh = std::path::Path::new(env!("CARGO_BIN_EXE_weigh"));
    let folder = weigh.parent().expect("it lies in a folder").display();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut written = String::new();
    let mut in_block = false;
    for line in page.lines() {
        let is_fence = line.starts_with("```");
        if is_fence {
            in_block = line == "```console";
        }
        match line.strip_prefix("$ ").filter(|_| in_block) {
            Some(command) => {
                let output = Command::new("sh")
                    .args(["-c", &format!("exec 2>&1; {command}")])
                    .current_dir(place.folder())
                    .env("PATH", format!("{folder}:{path}"))
                    .env("XDG_CACHE_HOME", place.path("cache"))
                    .output()
                    .expect("there is a shell");
                written.push_str(&format!("$ {command}\n"));
                for line in String::from_utf8_lossy(&output.stdout).lines() {
                    written.push_str(line.trim_end());
                    written.push('\n');
                }
            }
            // What was printed before.
            None if in_block && !is_fence => {}
            None => written.push_str(&format!("{line}\n")),
        }
    }
    written
}

/// Holds a page with at least so many commands against what they print.
fn check(name: &str, commands: usize) {
    let path = guests::root().join(name);
    let page = std::fs::read_to_string(&path).expect("there is a page");
    let written = replayed(&page);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &written).expect("the page can be written");
        return;
    }
    for (number, (shown, printed)) in page.lines().zip(written.lines()).enumerate() {
        assert_eq!(
            shown,
            printed,
            "{name}:{} (rewrite the page with UPDATE_GOLDEN=1, and read the difference)",
            number + 1
        );
    }
    assert_eq!(page.lines().count(), written.lines().count());
    assert!(
        page.matches("\n$ ").count() >= commands,
        "the page has its commands"
    );
}

#[cfg(unix)]
#[test]
fn the_page_on_evidence_shows_what_its_commands_print() {
    check("docs/evidence.md", 12);
}

#[cfg(unix)]
#[test]
fn the_readme_shows_what_comparing_prints() {
    check("README.md", 4);
}
