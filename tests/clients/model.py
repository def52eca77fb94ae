"""A model on loopback that makes a client issue the calls it is told, one by one.

Speaks as much of four wire formats as the clients need: Anthropic Messages, OpenAI Responses, OpenAI Chat Completions
and Gemini generateContent. It keeps no state: every request carries the results of all calls so far, and their number
says which call comes next. A conversation that a sub-agent leads is known by the word SUBTASK in its first request.
"""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SUBTASK = "SUBTASK"
DONE = "Done."


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A client that goes away in the middle of a request is no news."""


class Model:
    """Serves `script`: a list of (tool, input) for the main conversation, `subscript` for sub-agents."""

    def __init__(self, script, subscript=()):
        self.script = list(script)
        self.subscript = list(subscript)
        self.offered = {}  # the tools that the client offered, by name: what they look like differs by version
        self.missing = set()  # what some request did not offer; it is passed over
        self.results = 0  # how many calls the client gave a result for, also where that is a refusal
        self.classified = 0  # how often the client asked its own classifier, which always says no to blocking
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def reply(self, status, kind, body):
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_HEAD(self):
                self.reply(200, "application/json", b"")

            def do_GET(self):
                models = {"object": "list", "data": [{"id": "scripted", "object": "model"}]}
                found = self.path.split("?")[0].endswith("/models")
                self.reply(200 if found else 404, "application/json", json.dumps(models if found else {}).encode())

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                answer = model.answer(self.path, json.loads(body or b"{}"))
                self.reply(200, *answer) if answer else self.reply(404, "application/json", b"{}")

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def not_offered(self):
        """What the script wanted and the client never had. Errands come with tools of their own."""
        return {wanted for wanted in self.missing if not any(is_meant(wanted, name) for name in self.offered)}

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, path, request):
        route = path.split("?")[0]
        if route.endswith("/messages/count_tokens"):
            return "application/json", b'{"input_tokens": 1}'
        if route.endswith(":countTokens"):
            return "application/json", b'{"totalTokens": 1}'
        for end, format_ in FORMATS.items():
            if route.endswith(end):
                return format_(self, route, request)
        return None

    def next_call(self, tools, first_text, results):
        """The call that comes next, or nothing when it is time to end. Requests without tools are a client's errands."""
        self.offered.update(tools)
        self.results = max(self.results, results)
        script = self.subscript if SUBTASK in first_text else self.script
        if not tools:
            return None
        calls = []
        for wanted, call_input in script:
            names = [name for name in tools if is_meant(wanted, name)]
            if names:
                calls.append((names[0], call_input))
            else:
                self.missing.add(wanted)
        return calls[results] if results < len(calls) else None


def is_meant(wanted, name):
    """A script names a tool, or with ~ a pattern: some names carry a server or change with the version."""
    return re.search(wanted[1:], name) is not None if wanted.startswith("~") else wanted == name


def text_of(content):
    """All text in a message's content, whatever the format calls it."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return " ".join(text_of(part) for part in content)
    if isinstance(content, dict):
        return str(content.get("text", ""))
    return ""


def stream(events, named=True):
    lines = []
    for event in events:
        head = f"event: {event['type']}\n" if named and "type" in event else ""
        lines.append(f"{head}data: {json.dumps(event)}\n\n")
    return "text/event-stream", "".join(lines).encode()


# --- Anthropic Messages ------------------------------------------------------------------------------------------


def anthropic(model, _route, request):
    messages = request.get("messages", [])
    if "</block>" in (request.get("stop_sequences") or []):
        model.classified += 1
        said = {"type": "text", "text": "<block>no"}
        return "application/json", json.dumps({
            "id": "msg_c", "type": "message", "role": "assistant", "model": request.get("model", "scripted"),
            "content": [said], "stop_reason": "stop_sequence", "stop_sequence": "</block>",
            "usage": {"input_tokens": 1, "output_tokens": 1}}).encode()
    blocks = [b for m in messages if isinstance(m.get("content"), list) for b in m["content"]]
    results = sum(block.get("type") == "tool_result" for block in blocks)
    first = next((text_of(m.get("content")) for m in messages if m.get("role") == "user"), "")
    call = model.next_call({t.get("name"): t for t in request.get("tools") or []}, first, results)
    block = {"type": "text", "text": DONE}
    if call:
        block = {"type": "tool_use", "id": f"toolu_{results:05}", "name": call[0], "input": call[1]}
    stop = "tool_use" if call else "end_turn"
    message = {
        "id": f"msg_{results}", "type": "message", "role": "assistant", "model": request.get("model", "scripted"),
        "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    if not request.get("stream"):
        return "application/json", json.dumps({**message, "content": [block], "stop_reason": stop}).encode()
    opening, delta = {**block, "text": ""}, {"type": "text_delta", "text": DONE}
    if call:
        opening, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
    return stream([
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": opening},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "usage": {"output_tokens": 1}, "delta": {"stop_reason": stop, "stop_sequence": None}},
        {"type": "message_stop"},
    ])


# --- OpenAI Responses --------------------------------------------------------------------------------------------


def named_tools(tools):
    """Tools by name; those of a namespace are called NAMESPACE/NAME."""
    for tool in tools:
        name = tool.get("name", tool.get("type"))
        if tool.get("type") == "namespace":
            yield from ((f"{name}/{inner.get('name')}", inner) for inner in tool.get("tools") or [])
        else:
            yield name, tool


def responses(model, _route, request):
    items = request.get("input") or []
    items = items if isinstance(items, list) else [{"role": "user", "content": items}]
    results = sum(str(item.get("type", "")).endswith("_call_output") for item in items)
    asked = [text_of(item.get("content")) for item in items if item.get("role") == "user"]
    tools = dict(named_tools(request.get("tools") or []))
    # Instructions of the project come as user messages too: any of them may hold the word.
    call = model.next_call(tools, " ".join(asked), results)
    item = {"type": "message", "id": f"m_{results}", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": DONE, "annotations": []}]}
    if call and tools.get(call[0], {}).get("type") == "custom":
        item = {"type": "custom_tool_call", "id": f"c_{results}", "call_id": f"call_{results:05}", "name": call[0],
                "input": call[1]["input"], "status": "completed"}
    elif call:
        *namespace, name = call[0].split("/")
        item = {"type": "function_call", "id": f"f_{results}", "call_id": f"call_{results:05}", "name": name,
                "arguments": json.dumps(call[1]), "status": "completed"}
        if namespace:
            item["namespace"] = namespace[0]
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    answer = {"id": f"r_{results}", "object": "response", "status": "completed", "output": [item], "usage": usage}
    if not request.get("stream"):
        return "application/json", json.dumps(answer).encode()
    return stream([
        {"type": "response.created", "response": {**answer, "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": answer},
    ])


# --- OpenAI Chat Completions -------------------------------------------------------------------------------------


def chat(model, _route, request):
    messages = request.get("messages", [])
    results = sum(m.get("role") == "tool" for m in messages)
    first = next((text_of(m.get("content")) for m in messages if m.get("role") == "user"), "")
    tools = {tool.get("function", {}).get("name"): tool for tool in request.get("tools") or []}
    call = model.next_call(tools, first, results)
    message = {"role": "assistant", "content": DONE}
    if call:
        function = {"name": call[0], "arguments": json.dumps(call[1])}
        message = {"role": "assistant", "content": None,
                   "tool_calls": [{"index": 0, "id": f"call_{results:05}", "type": "function", "function": function}]}
    stop = "tool_calls" if call else "stop"
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    head = {"id": f"c_{results}", "created": 1, "model": request.get("model", "scripted")}
    if not request.get("stream"):
        choice = {"index": 0, "message": message, "finish_reason": stop}
        return "application/json", json.dumps({**head, "object": "chat.completion", "choices": [choice], "usage": usage}).encode()
    chunk = {**head, "object": "chat.completion.chunk"}
    kind, body = stream([
        {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": stop}], "usage": usage},
    ], named=False)
    return kind, body + b"data: [DONE]\n\n"


# --- Gemini generateContent --------------------------------------------------------------------------------------


def gemini(model, route, request):
    contents = request.get("contents", [])
    parts = [part for content in contents for part in content.get("parts") or []]
    results = sum("functionResponse" in part for part in parts)
    asked = " ".join(text_of(c.get("parts")) for c in contents if c.get("role", "user") == "user")
    names = [d for tool in request.get("tools") or [] for d in tool.get("functionDeclarations") or []]
    call = model.next_call({d.get("name"): d for d in names}, asked, results)
    part = {"functionCall": {"name": call[0], "args": call[1], "id": f"call_{results:05}"}} if call else {"text": DONE}
    wants_json = (request.get("generationConfig") or {}).get("responseMimeType") == "application/json"
    if wants_json and not call:
        part = {"text": json.dumps({"reasoning": "scripted", "next_speaker": "user", "model_choice": "flash"})}
    answer = {
        "candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
    }
    if route.endswith(":streamGenerateContent"):
        return stream([answer], named=False)
    return "application/json", json.dumps(answer).encode()


FORMATS = {
    "/messages": anthropic, "/responses": responses, "/chat/completions": chat,
    ":generateContent": gemini, ":streamGenerateContent": gemini,
}
