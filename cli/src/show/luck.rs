//! Luck as numbers and bars.

use std::fmt::Write as _;

use crate::luck::{Group, Sort};

/// Columns of the longest bar.
const COLUMNS: usize = 40;
const BAR_COLUMNS: f64 = 40.0;
/// Width of the plot's bars, in pixels.
const BARS: f64 = 360.0;
/// Height of a line of the plot, in pixels.
const LINE: usize = 20;
/// Where the plot's bars begin, in pixels.
const LEFT: usize = 250;

/// A line for each sort of results; `|` is what was to be expected.
#[must_use]
pub fn lines(sides: &[(&str, Vec<Group>)]) -> Vec<String> {
    let longest = longest(sides);
    let mut lines = Vec::new();
    for (side, groups) in sides {
        for group in groups {
            lines.push(String::new());
            lines.push(heading(side, group));
            lines.extend(group.sorts.iter().map(|sort| {
                format!(
                    "  {:<26}{:>5} of {:>7.1}  {}",
                    sort.name,
                    sort.came,
                    sort.expected,
                    bar(sort, longest)
                )
            }));
        }
    }
    lines
}

/// The same as a picture.
#[must_use]
pub fn plot(sides: &[(&str, Vec<Group>)]) -> String {
    let longest = longest(sides);
    let groups = || sides.iter().flat_map(|(side, groups)| groups.iter().map(move |group| (side, group)));
    let height = LINE * (1 + groups().map(|(_, group)| group.sorts.len() + 2).sum::<usize>());
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"660\" height=\"{height}\" viewBox=\"0 0 660 {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<title>Random results against what was to be expected</title>\n\
         <rect width=\"660\" height=\"{height}\" fill=\"#fffdf7\"/>\n"
    );
    let mut y = LINE;
    for (side, group) in groups() {
        let _ = writeln!(
            svg,
            "<text x=\"10\" y=\"{}\" font-weight=\"bold\">{}</text>",
            y + 14,
            heading(side, group)
        );
        y += LINE;
        for sort in &group.sorts {
            let (came, expected) = (f64::from(sort.came) / longest * BARS, sort.expected / longest * BARS);
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} {} of {:.1}</text>\
                 <rect x=\"{LEFT}\" y=\"{}\" width=\"{came:.1}\" height=\"12\" fill=\"#3f78a8\"/>\
                 <rect x=\"{:.1}\" y=\"{}\" width=\"2\" height=\"18\" fill=\"#b3452c\"/>",
                LEFT - 8,
                y + 14,
                sort.name,
                sort.came,
                sort.expected,
                y + 3,
                expected + 250.0 - 1.0,
                y,
            );
            y += LINE;
        }
        y += LINE;
    }
    svg.push_str("</svg>\n");
    svg
}

fn heading(side: &str, group: &Group) -> String {
    let times = if group.draws == 1 { "once" } else { "times" };
    let count = if group.draws == 1 { String::new() } else { format!("{} ", group.draws) };
    format!("{side}, {} ({count}{times}): p = {:.3}", group.what, group.p_value)
}

/// The longest bar of all, so that they can be compared.
fn longest(sides: &[(&str, Vec<Group>)]) -> f64 {
    let sorts = sides.iter().flat_map(|(_, groups)| groups).flat_map(|group| &group.sorts);
    sorts.map(|sort| f64::from(sort.came).max(sort.expected)).fold(1.0, f64::max)
}

fn bar(sort: &Sort, longest: f64) -> String {
    let column = |value: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most COLUMNS")]
        let column = (value / longest * BAR_COLUMNS).round() as usize;
        column.min(COLUMNS)
    };
    let (came, expected) = (column(f64::from(sort.came)), column(sort.expected));
    (0..=came.max(expected)).map(|at| bar_mark(at, came, expected)).collect::<String>().trim_end().to_owned()
}

const fn bar_mark(at: usize, came: usize, expected: usize) -> char {
    if at == expected {
        '|'
    } else if at < came {
        '#'
    } else {
        ' '
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group() -> Group {
        let sort = |name: &str, came, expected| Sort { name: name.to_owned(), came, expected };
        Group {
            what: "what eggs gave".to_owned(),
            draws: 9,
            sorts: vec![sort("Chomp", 6, 3.0), sort("Daisy", 0, 3.0), sort("King Boo", 3, 3.0)],
            p_value: 0.0423,
            simulations: 9_999,
        }
    }

    #[test]
    fn bars_show_what_came_and_what_was_to_be_expected() {
        let sides = [("you", vec![group()]), ("the opponents", Vec::new())];
        insta::assert_snapshot!(lines(&sides).join("\n"));
        insta::assert_snapshot!("plot", plot(&sides));
    }
}
