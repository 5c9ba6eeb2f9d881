use serde::de::DeserializeOwned;

use crate::judge::{Question, Reply, Variable};
use crate::{Failure, JudgeStep};

/// One kind of question that a metric puts to its judge.
///
/// ```
/// use weighbridge_metric::JudgeStep;
///
/// let step = JudgeStep::new("verdict", "Is this polite?\n<{{marker}}>\n{{text}}\n</{{marker}}>")
///     .system("You judge how people talk to each other.")
///     .schema(r#"{"type":"object","required":["polite"]}"#);
/// assert!(!step.once);
/// ```
impl JudgeStep {
    /// A question of this name, unique within the metric. In `template`,
    /// `{{name}}` is the place of a variable. The host fills `{{marker}}`
    /// itself, with a word that nobody who wrote the case can have known: put
    /// it around text of the case, so that the text can't pretend to end.
    pub fn new(name: impl Into<String>, template: impl Into<String>) -> JudgeStep {
        JudgeStep {
            name: name.into(),
            system: String::new(),
            template: template.into(),
            schema: None,
            once: false,
        }
    }

    /// Who the judge is and what it is to do.
    #[must_use]
    pub fn system(mut self, text: impl Into<String>) -> JudgeStep {
        self.system = text.into();
        self
    }

    /// The JSON Schema, as JSON text, that the host holds every reply against.
    #[must_use]
    pub fn schema(mut self, schema: impl Into<String>) -> JudgeStep {
        self.schema = Some(schema.into());
        self
    }

    /// Asks this once, before any case, and gives every case the same reply.
    /// Its template has no variables.
    #[must_use]
    pub fn once(mut self) -> JudgeStep {
        self.once = true;
        self
    }
}

/// One question for a judge.
///
/// ```
/// use weighbridge_metric::judge::Question;
///
/// let question = Question::new("verdict").with("text", "Could you pass the salt?");
/// assert_eq!(question.variables.len(), 1);
/// ```
impl Question {
    /// A question of this step, without variables yet.
    pub fn new(step: impl Into<String>) -> Question {
        Question {
            step: step.into(),
            variables: Vec::new(),
        }
    }

    /// Gives a variable of the step's template its value.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Question {
        self.variables.push(Variable {
            name: name.into(),
            value: value.into(),
        });
        self
    }
}

impl Reply {
    /// The reply's JSON. The host has held it against the step's schema, so
    /// the schema should leave nothing out that `T` needs.
    ///
    /// # Errors
    ///
    /// It doesn't deserialise into `T`, as an unusable judgement.
    ///
    /// ```
    /// use weighbridge_metric::judge::Reply;
    ///
    /// let reply = Reply { text: "[1, 2]".to_owned(), tokens: Vec::new() };
    /// assert_eq!(reply.json::<Vec<u8>>(), Ok(vec![1, 2]));
    /// ```
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_str(&self.text).map_err(|error| {
            Failure::unusable_judgement(format!("the judge's reply can't be used: {error}"))
        })
    }
}
