//! An assistant that speaks to the command `mcp` over its standard input and output.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The command, until this is dropped.
pub(super) struct Assistant {
    pub(super) child: Child,
    /// `None` once it is closed.
    pub(super) input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    asked: u64,
    /// The answer to `initialize`.
    pub(super) server: Value,
}

impl Assistant {
    /// Starts it, and begins the conversation.
    pub(super) fn start(gateway: &str, key: &str, options: &[&str]) -> Assistant {
        let mut assistant = Assistant::silent(gateway, key, options);
        let client = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
        });
        assistant.server = assistant.ask("initialize", client)["result"].take();
        assistant.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        assistant
    }

    /// Starts it, and says nothing.
    pub(super) fn silent(gateway: &str, key: &str, options: &[&str]) -> Assistant {
        let mut child = Command::new(env!("CARGO_BIN_EXE_payframe-gateway"))
            .args(["mcp", "--gateway", gateway])
            .args(options)
            .env("PAYFRAME_API_KEY", key)
            .env_remove("PAYFRAME_MODE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Assistant {
            input: child.stdin.take(),
            child,
            output,
            asked: 0,
            server: Value::Null,
        }
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    /// The answer to a request. Every line of the output has to be a message.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let line = self.output.next().unwrap().unwrap();
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// What a tool answers, or says of a failure.
    #[track_caller]
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Result<String, String> {
        let answer = self.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str();
        let text = text.unwrap_or_else(|| panic!("{answer}")).to_owned();
        if result["isError"] == true {
            Err(text)
        } else {
            Ok(text)
        }
    }

    /// What a tool answers, as JSON.
    #[track_caller]
    pub(super) fn read(&mut self, tool: &str, arguments: Value) -> Value {
        serde_json::from_str(&self.call(tool, arguments).unwrap()).unwrap()
    }

    pub(super) fn names(&mut self, method: &str, list: &str) -> Vec<String> {
        let answer = self.ask(method, json!({}));
        let all = answer["result"][list].as_array().unwrap().iter();
        all.map(|one| one["name"].as_str().unwrap().to_owned())
            .collect()
    }
}

impl Drop for Assistant {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
