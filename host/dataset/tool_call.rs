//! Tool calls in the spellings that data sets hold them in.

use serde_json::{Map, Value};

use super::error::Fault;
use super::strict_json::{self, type_of};
use super::value::text;
use crate::case::ToolCall;

const REMEDY: &str = "write `name` and, if need be, `description`, `reasoning`, \
                      `input_parameters` and `output`";

/// Reads one tool call.
///
/// - a string: the tool's name alone
/// - DeepEval: `{name, description?, reasoning?, input_parameters?, output?}`
/// - OpenAI chat: `{function: {name, arguments}}`; Responses: `{name, arguments}`;
///   MCP writes the latter with an object
/// - Anthropic: `{name, input}`
/// - LangChain and ragas: `{name, args}`
///
/// The arguments are an object; `arguments` may also be the text of one, or
/// the empty string where a model gave none. Identifiers and what only says
/// that this is a tool call (`id`, `call_id`, `type`, `index`, `status` and
/// their like) are left out. Any other key would be lost, so it is a fault,
/// and so are arguments given twice, unless the key's value is null.
pub(super) fn tool_call(value: Value) -> Result<ToolCall, Fault> {
    let mut call = Draft::default();
    match value {
        Value::String(name) => call.name = Some(name),
        Value::Object(mut members) => {
            check_type(&members)?;
            match members.remove("function") {
                None | Some(Value::Null) => {}
                Some(Value::Object(inner)) => call
                    .absorb(inner)
                    .map_err(|fault| fault.inside(".function"))?,
                Some(other) => {
                    let what = format!("is {}, not an object: {REMEDY}", type_of(&other));
                    return Err(Fault::new(what).inside(".function"));
                }
            }
            call.absorb(members)?;
        }
        other => {
            let what = format!("is {}, not a tool call: {REMEDY}", type_of(&other));
            return Err(Fault::new(what));
        }
    }
    match call.name {
        Some(name) if !name.trim().is_empty() => Ok(ToolCall {
            name,
            description: call.description,
            reasoning: call.reasoning,
            input_parameters: call.input_parameters,
            output: call.output,
        }),
        Some(_) => Err(Fault::new(format!("has a blank name: {REMEDY}"))),
        None => Err(Fault::new(format!("has no `name`: {REMEDY}"))),
    }
}

/// Refuses what says that it is something other than a tool call, such as the
/// text blocks between Anthropic's.
fn check_type(members: &Map<String, Value>) -> Result<(), Fault> {
    let kind = match members.get("type") {
        None | Some(Value::Null) => return Ok(()),
        Some(Value::String(kind)) => kind,
        Some(other) => {
            let what = format!("is {}, not a string", type_of(other));
            return Err(Fault::new(what).inside(".type"));
        }
    };
    match kind.to_ascii_lowercase().as_str() {
        // DeepEval writes `FUNCTION` and `MCP`.
        "function" | "function_call" | "tool_use" | "server_tool_use" | "tool_call" => Ok(()),
        "mcp" | "mcp_call" | "mcp_tool_use" => Ok(()),
        _ => Err(Fault::new(format!(
            "is of type `{kind}`, which is no tool call: leave it out of the list"
        ))),
    }
}

#[derive(Default)]
struct Draft {
    name: Option<String>,
    description: Option<String>,
    reasoning: Option<String>,
    input_parameters: Option<Value>,
    output: Option<Value>,
}

impl Draft {
    fn absorb(&mut self, members: Map<String, Value>) -> Result<(), Fault> {
        for (key, value) in members {
            if value.is_null() {
                continue;
            }
            self.absorb_member(&key, value)?;
        }
        Ok(())
    }

    fn absorb_member(&mut self, key: &str, value: Value) -> Result<(), Fault> {
        let inside = |fault: Fault| fault.inside(&format!(".{key}"));
        match key {
            "name" => fill(&mut self.name, text(value).map_err(inside)?, key),
            "description" => fill(&mut self.description, text(value).map_err(inside)?, key),
            "reasoning" => fill(&mut self.reasoning, text(value).map_err(inside)?, key),
            "output" => fill(&mut self.output, value, key),
            "arguments" => match arguments(value).map_err(inside)? {
                None => Ok(()),
                Some(arguments) => fill(&mut self.input_parameters, arguments, key),
            },
            "input_parameters" | "inputParameters" | "args" | "input" => {
                let arguments = object(value).map_err(inside)?;
                fill(&mut self.input_parameters, arguments, key)
            }
            "id" | "call_id" | "callId" | "tool_call_id" | "toolCallId" | "type" | "index"
            | "status" | "caller" | "cache_control" => Ok(()),
            _ => Err(Fault::new(format!(
                "has a key `{key}`, which nothing reads: {REMEDY}"
            ))),
        }
    }
}

fn fill<T: PartialEq>(slot: &mut Option<T>, value: T, key: &str) -> Result<(), Fault> {
    match slot {
        Some(first) if *first != value => Err(Fault::new(format!(
            "gives what `{key}` holds twice, with different values: keep one"
        ))),
        _ => {
            *slot = Some(value);
            Ok(())
        }
    }
}

/// Arguments as an object or as the text of one.
fn arguments(value: Value) -> Result<Option<Value>, Fault> {
    let Value::String(text) = value else {
        return object(value).map(Some);
    };
    if text.trim().is_empty() {
        return Ok(None);
    }
    match strict_json::parse(&text) {
        Ok(Value::Null) => Ok(None),
        Ok(value) => object(value).map(Some),
        Err(not_json) => Err(Fault::new(not_json.what)),
    }
}

fn object(value: Value) -> Result<Value, Fault> {
    if value.is_object() {
        return Ok(value);
    }
    Err(Fault::new(format!(
        "is {}, not an object of arguments by name",
        type_of(&value)
    )))
}
