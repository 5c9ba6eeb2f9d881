use std::cell::RefCell;
use std::collections::VecDeque;

use crate::judge::{Question, Reply};

/// A judge for tests, which replies what it was told to.
///
/// ```
/// use weighbridge_metric::ScriptedJudge;
/// use weighbridge_metric::judge::Question;
///
/// let judge = ScriptedJudge::new([("verdict", "yes")]);
/// let replies = judge.ask_all(&[Question::new("verdict").with("text", "Thanks!")]);
/// assert_eq!(replies[0].text, "yes");
/// assert_eq!(judge.asked()[0].variables[0].value, "Thanks!");
/// ```
#[derive(Debug, Default)]
pub struct ScriptedJudge {
    replies: RefCell<VecDeque<(String, Reply)>>,
    asked: RefCell<Vec<Question>>,
}

impl ScriptedJudge {
    /// A judge that is to be asked these steps in this order, and replies
    /// these texts.
    pub fn new<'a>(replies: impl IntoIterator<Item = (&'a str, &'a str)>) -> ScriptedJudge {
        ScriptedJudge::with_tokens(replies.into_iter().map(|(step, text)| {
            let tokens = Vec::new();
            let text = text.to_owned();
            (step, Reply { text, tokens })
        }))
    }

    /// The same with whole replies, tokens included.
    pub fn with_tokens<'a>(replies: impl IntoIterator<Item = (&'a str, Reply)>) -> ScriptedJudge {
        let replies = replies.into_iter();
        let replies = replies.map(|(step, reply)| (step.to_owned(), reply));
        ScriptedJudge {
            replies: RefCell::new(replies.collect()),
            asked: RefCell::default(),
        }
    }

    /// Replies to `questions` in their order.
    ///
    /// # Panics
    ///
    /// It is asked another step than it was told, or more often.
    pub fn ask_all(&self, questions: &[Question]) -> Vec<Reply> {
        let mut replies = self.replies.borrow_mut();
        let answers = questions.iter().map(|question| {
            let (step, reply) = replies
                .pop_front()
                .unwrap_or_else(|| panic!("asked `{}` after the last reply", question.step));
            assert_eq!(question.step, step, "asked another step than was told");
            reply
        });
        let answers = answers.collect();
        self.asked.borrow_mut().extend_from_slice(questions);
        answers
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Vec<Question> {
        self.asked.borrow().clone()
    }

    /// How many replies it was not asked for.
    pub fn left(&self) -> usize {
        self.replies.borrow().len()
    }
}
