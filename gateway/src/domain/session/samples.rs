//! One sample of every state and of every event, for tests that go through all of them.
