//! What can be compared of two error texts: the kind, and for validation errors where and why.

/// The stable part of a tool's error text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorShape {
    /// The exception's type, such as `ValidationError`.
    pub head_type: String,
    /// For validation errors each location, such as `cc.1`, with its error type, such as
    /// `string_type`, in order. Empty for other errors.
    pub locations: Vec<(String, String)>,
}

/// Reads an error text such as upstream records it: `Type: message`, or the text of a validation
/// error alone. `None` where it is neither.
pub fn error_shape(text: &str) -> Option<ErrorShape> {
    let mut lines = text.lines();
    let head = lines.next()?;
    let (kind, message) = match head.split_once(':') {
        Some((kind, message)) if is_name(kind) => (Some(kind), message.trim_start()),
        _ => (None, head),
    };
    if !is_validation_head(message) {
        let head_type = kind?.to_owned();
        return Some(ErrorShape { head_type, locations: Vec::new() });
    }
    let mut locations = Vec::new();
    let mut location = "";
    for line in lines {
        if !line.starts_with("  ") {
            location = line;
        } else if let Some((_, after)) = line.split_once(" [type=") {
            let end = after.find([',', ']']).unwrap_or(after.len());
            locations.push((location.to_owned(), after[..end].to_owned()));
        }
    }
    Some(ErrorShape { head_type: kind.unwrap_or("ValidationError").to_owned(), locations })
}

fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.')
}

/// Whether the line reads `N validation error(s) for …`.
fn is_validation_head(line: &str) -> bool {
    line.split_once(' ').is_some_and(|(count, after)| {
        count.parse::<usize>().is_ok()
            && (after.starts_with("validation error for ")
                || after.starts_with("validation errors for "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_and_types_are_read_and_other_errors_keep_their_kind() {
        let text = "ValidationError: 2 validation errors for Input schema for `t`\nn\n  Field required \
                    [type=missing, input_value={'a': '[type=x'}, input_type=dict]\n    For further \
                    information visit https://errors.pydantic.dev/2.14/v/missing\ncc.1\n  Input should be a \
                    valid string [type=string_type, input_value=1, input_type=int]";
        let pair = |location: &str, kind: &str| (location.to_owned(), kind.to_owned());
        let shape = error_shape(text).unwrap();
        assert_eq!(shape.head_type, "ValidationError");
        assert_eq!(shape.locations, [pair("n", "missing"), pair("cc.1", "string_type")]);
        let other = error_shape("ValueError: User x: not found").unwrap();
        assert_eq!((other.head_type.as_str(), other.locations.len()), ("ValueError", 0));
        assert_eq!(error_shape("no error at all"), None);
    }
}
