//! `position`: a request a line on standard input, an answer a line on standard output, in order.

pub(crate) mod request;

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use crate::failure::{Exit, Failure, Kind, Problem};
use crate::show::json;

/// Longest request that is read, in bytes.
const MAX_REQUEST_BYTES: u64 = 4_096;
/// Read ahead of the requests being answered, in bytes.
const READ_AHEAD_BYTES: usize = 1 << 16;

/// Arguments of `position`.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {}

const EXAMPLES: &str = r#"Requests and answers:
  {"variant":V,"fen":F}              {"legal":[ACTION…],"result":"*"}
  {"variant":V,"fen":F,"action":A}   {"outcomes":[{"fen":…,"result":…,"num":1,"den":4,"events":[…]}…]}
  {"variant":V,"fen":F,"perft":N}    {"nodes":N}, in variants without chance
  anything else                      {"error":{"kind":…,"message":…}}

A position whose game is over has no legal actions and its result. Outcomes that lead to the same position are one,
with their odds added up: num/den, reduced. Where the game is over, "fen" is null. A FEN that shows a hidden queen is
the true board; one that says "hidden" is what her opponent sees, and the answer says so in "note"."#;

/// Answers until the input ends. A bad request is answered like any other.
///
/// # Errors
/// [`Failure::Output`]
pub fn run(_: Args, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut input = BufReader::with_capacity(READ_AHEAD_BYTES, io::stdin().lock());
    serve(&mut input, out)?;
    Ok(Exit::Done)
}

fn serve<R: Read>(input: &mut BufReader<R>, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let mut line = Vec::new();
    while let Some(request) = next_line(input, &mut line)? {
        match request.and_then(request::answer) {
            Ok(answer) => json::write_line(&mut out, &answer)?,
            Err(problem) => json::write_line(&mut out, &problem.as_json())?,
        }
        // Whoever waits for this answer before the next request must get it now.
        if input.buffer().is_empty() {
            out.flush()?;
        }
    }
    out.flush()
}

/// The next line without its end; an overlong one is skipped to its end and is a problem. `None` at the end.
fn next_line<'a>(
    input: &mut impl BufRead,
    line: &'a mut Vec<u8>,
) -> io::Result<Option<Result<&'a str, Problem>>> {
    line.clear();
    if input.by_ref().take(MAX_REQUEST_BYTES + 1).read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') && line.len() as u64 > MAX_REQUEST_BYTES {
        skip_line(input)?;
        let message = format!("a request has at most {MAX_REQUEST_BYTES} bytes");
        return Ok(Some(Err(Problem::new(Kind::Usage, message))));
    }
    let text = std::str::from_utf8(line).map(str::trim);
    Ok(Some(text.map_err(|_| Problem::new(Kind::Usage, "the request is not UTF-8"))))
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let skipped = end.map_or(buffer.len(), |at| at + 1);
        input.consume(skipped);
        if end.is_some() || skipped == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(requests: &[u8]) -> Vec<String> {
        let mut out = Vec::new();
        serve(&mut BufReader::with_capacity(64, requests), &mut out).expect("memory");
        String::from_utf8(out).expect("JSON").lines().map(str::to_owned).collect()
    }

    #[test]
    fn every_line_has_its_answer() {
        let long = format!("{}\n", " ".repeat(10_000));
        let finished = r#"{"variant":"chakart","fen":"8/8/8/8/8/8/8/K7 b 7 {\"flags\":\"0000\"}"}"#;
        let requests =
            [b"\n{}\nnonsense\n\xff\n", long.as_bytes(), finished.as_bytes(), b"\n", finished.as_bytes()]
                .concat();
        insta::assert_snapshot!(answers(&requests).join("\n"));
    }
}
