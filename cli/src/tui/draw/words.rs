//! Words that are broken into lines.

use ratatui::text::Span;

/// The lines of a text of at most `width` cells, the first one after `first`, the others after `rest`. Words longer than
/// a line are broken.
pub(super) fn wrapped(text: &str, width: u16, first: &str, rest: &str) -> Vec<String> {
    let mut paragraph = Paragraph {
        width: usize::from(width).max(cells(first).max(cells(rest)) + 1),
        rest,
        lines: vec![first.to_owned()],
        used: cells(first),
        begun: false,
    };
    for word in text.split(' ') {
        paragraph.push_word(word);
    }
    paragraph.lines
}

struct Paragraph<'a> {
    width: usize,
    rest: &'a str,
    lines: Vec<String>,
    /// Cells of the last line.
    used: usize,
    /// Whether the last line has a word.
    begun: bool,
}

impl Paragraph<'_> {
    fn push_word(&mut self, word: &str) {
        let length = cells(word);
        if self.begun && self.used + 1 + length > self.width {
            self.new_line();
        } else if self.begun {
            self.push(' ');
        }
        for letter in word.chars() {
            if self.used + cells(letter.encode_utf8(&mut [0; 4])) > self.width {
                self.new_line();
            }
            self.push(letter);
        }
        self.begun = true;
    }

    fn push(&mut self, letter: char) {
        if let Some(line) = self.lines.last_mut() {
            line.push(letter);
        }
        self.used += cells(letter.encode_utf8(&mut [0; 4]));
    }

    fn new_line(&mut self) {
        self.lines.push(self.rest.to_owned());
        self.used = cells(self.rest);
        self.begun = false;
    }
}

/// As much of the beginning of a text as fits in so many cells.
pub(super) fn head(text: &str, width: usize) -> String {
    let mut shown = text;
    while cells(shown) > width {
        let mut letters = shown.chars();
        letters.next_back();
        shown = letters.as_str();
    }
    shown.to_owned()
}

/// As much of the end of a text as fits.
pub(super) fn tail(text: &str, width: u16) -> String {
    let mut shown = text;
    while cells(shown) > usize::from(width) {
        let mut letters = shown.chars();
        letters.next();
        shown = letters.as_str();
    }
    shown.to_owned()
}

fn cells(text: &str) -> usize {
    Span::raw(text).width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words_and_long_words_are_broken() {
        assert_eq!(wrapped("the egg holds Daisy", 9, "", "  "), ["the egg", "  holds", "  Daisy"]);
        assert_eq!(wrapped("an egg", 9, "- ", "  "), ["- an egg"]);
        assert_eq!(wrapped("an eggs", 8, "- ", "  "), ["- an", "  eggs"]);
        assert_eq!(wrapped("", 9, "", ""), [""]);
        assert_eq!(wrapped("abcdefgh ij", 4, "", ""), ["abcd", "efgh", "ij"]);
        for width in 4..30 {
            let lines = wrapped("White's queen leaves d1 unseen, 桃子 on h5", width, "  ", " ");
            assert!(lines.iter().all(|line| cells(line) <= usize::from(width)), "{width}: {lines:?}");
        }
    }

    #[test]
    fn one_end_of_a_long_line_is_shown() {
        assert_eq!(head("your turn", 4), "your");
        assert_eq!(head("桃子", 3), "桃");
        assert_eq!(tail("chat hello", 5), "hello");
        assert_eq!(tail("桃子", 3), "子");
    }
}
