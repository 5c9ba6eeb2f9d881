use crate::{Description, Direction, Field, JudgeStep, Requirement};

/// What a metric is, given its configuration.
///
/// ```
/// use weighbridge_metric::{Description, Field};
///
/// let description = Description::new("word-error-rate", "Share of words that are wrong.")
///     .requires(Field::ExpectedOutput)
///     .requires_or_blank(Field::ActualOutput)
///     .lower_is_better();
/// assert_eq!((description.lowest, description.highest), (0.0, 1.0));
/// ```
impl Description {
    /// A metric from 0 to 1 where higher is better. `name` is lowercase
    /// kebab; `summary` is one sentence. It sees no field of the test case
    /// until it says which it needs.
    pub fn new(name: impl Into<String>, summary: impl Into<String>) -> Description {
        Description {
            name: name.into(),
            summary: summary.into(),
            requires: Vec::new(),
            reads: Vec::new(),
            direction: Direction::HigherIsBetter,
            lowest: 0.0,
            highest: 1.0,
            config_schema: None,
            judge_steps: Vec::new(),
        }
    }

    /// Needs this field, and not blank: the host reports a case without it as
    /// a gap in the data.
    #[must_use]
    pub fn requires(mut self, field: Field) -> Description {
        self.requires.push(Requirement {
            field,
            may_be_blank: false,
        });
        self
    }

    /// Needs this field, but an empty or all-blank value is a fact to score.
    #[must_use]
    pub fn requires_or_blank(mut self, field: Field) -> Description {
        self.requires.push(Requirement {
            field,
            may_be_blank: true,
        });
        self
    }

    /// Looks at this field when it is there.
    #[must_use]
    pub fn reads(mut self, field: Field) -> Description {
        self.reads.push(field);
        self
    }

    /// The lowest score is the good one.
    #[must_use]
    pub fn lower_is_better(mut self) -> Description {
        self.direction = Direction::LowerIsBetter;
        self
    }

    /// The lowest and the highest possible score; both finite.
    #[must_use]
    pub fn range(mut self, lowest: f64, highest: f64) -> Description {
        self.lowest = lowest;
        self.highest = highest;
        self
    }

    /// The JSON Schema of the configuration, as JSON text.
    #[must_use]
    pub fn config_schema(mut self, schema: impl Into<String>) -> Description {
        self.config_schema = Some(schema.into());
        self
    }

    /// Adds a question that the metric will put to the judge.
    #[must_use]
    pub fn judge_step(mut self, step: JudgeStep) -> Description {
        self.judge_steps.push(step);
        self
    }
}
