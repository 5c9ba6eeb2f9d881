use crate::{Failure, Passage, TestCase};

/// One row of what the application under test did.
///
/// ```
/// use weighbridge_metric::TestCase;
///
/// let case = TestCase::new().with_actual_output("Paris");
/// assert_eq!(case.actual_output(), Ok("Paris"));
/// assert!(case.expected_output().is_err());
/// ```
impl TestCase {
    /// A case without any field, for tests.
    pub fn new() -> TestCase {
        TestCase {
            input: None,
            actual_output: None,
            expected_output: None,
            alternative_outputs: Vec::new(),
            context: None,
            retrieval_context: None,
            tools_called: None,
            expected_tools: None,
            name: None,
            tags: Vec::new(),
            comments: None,
            metadata: None,
            usage: None,
            trace: None,
        }
    }

    /// The same case with this `input`.
    #[must_use]
    pub fn with_input(mut self, text: impl Into<String>) -> TestCase {
        self.input = Some(text.into());
        self
    }

    /// The same case with this `actual_output`.
    #[must_use]
    pub fn with_actual_output(mut self, text: impl Into<String>) -> TestCase {
        self.actual_output = Some(text.into());
        self
    }

    /// The same case with this `expected_output`.
    #[must_use]
    pub fn with_expected_output(mut self, text: impl Into<String>) -> TestCase {
        self.expected_output = Some(text.into());
        self
    }

    /// The same case with these passages as `retrieval_context`, without
    /// sources.
    #[must_use]
    pub fn with_retrieval_context<T: Into<String>>(
        mut self,
        passages: impl IntoIterator<Item = T>,
    ) -> TestCase {
        let passages = passages.into_iter().map(|text| Passage {
            text: text.into(),
            source: None,
        });
        self.retrieval_context = Some(passages.collect());
        self
    }

    /// The `input`.
    ///
    /// # Errors
    ///
    /// It is absent, which a metric that requires the field never meets.
    pub fn input(&self) -> Result<&str, Failure> {
        present(self.input.as_deref(), "input")
    }

    /// The `actual_output`.
    ///
    /// # Errors
    ///
    /// It is absent, which a metric that requires the field never meets.
    pub fn actual_output(&self) -> Result<&str, Failure> {
        present(self.actual_output.as_deref(), "actual_output")
    }

    /// The `expected_output`.
    ///
    /// # Errors
    ///
    /// It is absent, which a metric that requires the field never meets.
    pub fn expected_output(&self) -> Result<&str, Failure> {
        present(self.expected_output.as_deref(), "expected_output")
    }

    /// The passages of the `retrieval_context`, in their order.
    ///
    /// # Errors
    ///
    /// It is absent, which a metric that requires the field never meets.
    pub fn retrieval_context(&self) -> Result<&[Passage], Failure> {
        present(self.retrieval_context.as_deref(), "retrieval_context")
    }
}

impl Default for TestCase {
    fn default() -> TestCase {
        TestCase::new()
    }
}

fn present<'a, T: ?Sized>(field: Option<&'a T>, name: &str) -> Result<&'a T, Failure> {
    field.ok_or_else(|| Failure::unsuitable(format!("`{name}` is absent: add it to the test case")))
}
