//! The words of one-line languages: filters of cells and rules of a gate are cut up the same way.
//!
//! A **word** holds letters, digits and `_-.:/+*`, or anything within single or double quotes. A
//! **sign** is one of a list that each language brings along. White space only separates.

/// Text that is no word, no sign and no white space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadText {
    /// The column, in characters from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Word,
    Quoted,
    Sign,
}

#[derive(Clone, Debug)]
struct Token {
    text: String,
    column: usize,
    sort: Sort,
}

/// Words and signs, read from the front.
#[derive(Clone, Debug)]
pub struct Words {
    tokens: Vec<Token>,
    at: usize,
    end: usize,
}

impl Words {
    /// Cuts a text up. Of several signs that fit, the first in the list is taken, so longer ones
    /// stand before those that they begin with.
    ///
    /// # Errors
    /// The first character that belongs nowhere, or a quote that is not closed.
    pub fn new(text: &str, signs: &[&str]) -> Result<Self, BadText> {
        let chars: Vec<char> = text.chars().collect();
        let mut tokens = Vec::new();
        let mut at = 0;
        while at < chars.len() {
            if chars[at].is_whitespace() {
                at += 1;
                continue;
            }
            let (token, length) = next(&chars[at..], at + 1, signs)?;
            tokens.push(token);
            at += length;
        }
        Ok(Self { tokens, at: 0, end: chars.len() + 1 })
    }

    /// The next word or sign, which stays.
    pub fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(|token| token.text.as_str())
    }

    /// The one after the next, which stays, too.
    pub fn peek_second(&self) -> Option<&str> {
        self.tokens.get(self.at + 1).map(|token| token.text.as_str())
    }

    /// The column of what comes next, from 1; behind the last character at the end.
    pub fn column(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |token| token.column)
    }

    /// What comes next as a message names it.
    pub fn found(&self) -> String {
        self.peek().map_or("the end".to_owned(), |token| format!("`{token}`"))
    }

    /// Leaves the next one behind.
    pub fn skip(&mut self) {
        self.at += 1;
    }

    /// Takes the next one if it is this bare word or sign.
    pub fn take(&mut self, wanted: &str) -> bool {
        let found = self.tokens.get(self.at);
        let found = found.is_some_and(|token| token.text == wanted && token.sort != Sort::Quoted);
        self.at += usize::from(found);
        found
    }

    /// Takes the next one if it is a word, bare or quoted.
    pub fn word(&mut self) -> Option<String> {
        let token = self.tokens.get(self.at).filter(|token| token.sort != Sort::Sign)?;
        self.at += 1;
        Some(token.text.clone())
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || "_-.:/+*".contains(c)
}

/// The token at the start of the text, and how many characters it takes.
fn next(chars: &[char], column: usize, signs: &[&str]) -> Result<(Token, usize), BadText> {
    let token = |text: String, sort| Token { text, column, sort };
    let bad = |message| BadText { column, message };
    let first = chars[0];
    if matches!(first, '"' | '\'') {
        let length = chars[1..].iter().position(|c| *c == first);
        let length = length.ok_or_else(|| bad(format!("the quote {first} is not closed")))?;
        let inside = chars[1..=length].iter().collect();
        return Ok((token(inside, Sort::Quoted), length + 2));
    }
    let fits =
        |sign: &&&str| sign.chars().zip(chars).filter(|(a, b)| a == *b).count() == sign.len();
    if let Some(sign) = signs.iter().find(fits) {
        return Ok((token((*sign).to_owned(), Sort::Sign), sign.len()));
    }
    let length = chars.iter().take_while(|c| is_of_word(**c)).count();
    if length == 0 {
        return Err(bad(format!("`{first}` has no meaning here")));
    }
    Ok((token(chars[..length].iter().collect(), Sort::Word), length))
}

/// Whether a value is the word, in which `*` stands for any run of characters.
pub fn matches(word: &str, value: &str) -> bool {
    let Some((head, tail)) = word.split_once('*') else { return word == value };
    let Some(mut rest) = value.strip_prefix(head) else { return false };
    let mut pieces = tail.split('*').peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_words_and_signs_with_their_columns() {
        let mut words = Words::new("a<='b <' mmu:x*", &["<=", "<"]).unwrap();
        assert_eq!((words.column(), words.peek(), words.peek_second()), (1, Some("a"), Some("<=")));
        assert_eq!(words.word().as_deref(), Some("a"));
        assert_eq!(words.word(), None, "a sign is no word");
        assert!(!words.take("<"));
        assert!(words.take("<="));
        assert!(!words.take("b <"), "what is quoted is no sign");
        assert_eq!((words.column(), words.word().as_deref()), (4, Some("b <")));
        assert_eq!((words.column(), words.found().as_str()), (10, "`mmu:x*`"));
        words.skip();
        assert_eq!((words.column(), words.found().as_str()), (16, "the end"));
    }

    #[test]
    fn what_belongs_nowhere_is_named_with_its_column() {
        for (text, column, message) in [
            ("é & b", 3, "`&` has no meaning here"),
            ("a 'b", 3, "the quote ' is not closed"),
            ("a ! b", 3, "`!` has no meaning here"),
        ] {
            let bad = Words::new(text, &["!="]).unwrap_err();
            assert_eq!((bad.column, bad.message.as_str()), (column, message));
        }
    }

    #[test]
    fn a_star_stands_for_any_run_of_characters() {
        for (word, value, expected) in [
            ("mmu", "mmu", true),
            ("mmu", "mmu:strict", false),
            ("mmu*", "mmu:strict", true),
            ("*strict", "mmu:strict", true),
            ("m*:*t", "mmu:strict", true),
            ("m*m*m", "mm", false),
            ("*", "", true),
            ("", "", true),
            ("", "x", false),
            ("ab*b", "ab", false),
        ] {
            assert_eq!(matches(word, value), expected, "{word} on {value}");
        }
    }
}
