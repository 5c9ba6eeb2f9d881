//! Reports are pure functions of what a run came to.

use weighbridge::policy::{Direction, Scale};
use weighbridge::report;
use weighbridge::summary::Tally;

#[test]
fn the_table_fits_a_terminal_of_80_columns() {
    let scale = Scale {
        direction: Direction::HigherIsBetter,
        lowest: 0.0,
        highest: 1.0,
    };
    let summary = Tally::new([("exact-match".to_owned(), scale)]).finish();
    for (width, with_version) in [(80, false), (100, true)] {
        let table = report::table(&summary, &["sha256:0123456789"], true, width);
        for line in table.lines() {
            assert!(line.chars().count() <= usize::from(width), "{table}");
        }
        assert_eq!(table.contains("01234567"), with_version, "{table}");
        assert!(table.contains("exact-match"), "{table}");
    }
}
