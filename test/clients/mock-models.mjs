// A stand-in for the model APIs on the loopback interface, so that a real client can be led through a conversation
// with no network and no account. Speaks Anthropic Messages and OpenAI Responses, as server-sent events.
import { createServer } from "node:http";

/**
 * Starts a model that makes the tool calls of `script`, `{ name, input, namespace? }`, one a request, and then says
 * `answer`. `requests` holds what the client sent, in order: that is what a model would have been shown.
 */
export async function startMockModels({ script = [], answer }) {
  const requests = [];
  const calls = [...script];
  const server = createServer(async (request, response) => {
    const body = await readJson(request);
    requests.push({ method: request.method, path: request.url, body });
    const speak = request.method === "POST" ? dialectOf(new URL(request.url, "http://mock").pathname) : undefined;
    if (speak === undefined) return sendJson(response, 404, { error: { type: "not_found_error", message: "mock" } });
    speak(response, body, { n: requests.length, answer, nextCall: () => calls.shift() });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    /** Calls of the script that no request has consumed. */
    callsLeft: () => calls.length,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function dialectOf(path) {
  if (path === "/v1/messages/count_tokens") return (response) => sendJson(response, 200, { input_tokens: 1_000 });
  if (path === "/v1/messages") return speakMessages;
  if (path === "/v1/responses") return speakResponses;
  return undefined;
}

function speakMessages(response, body, { n, answer, nextCall }) {
  // Side questions, such as for a title, offer no tools or just one; they must not use up the script.
  const call = body.tools?.length > 1 ? nextCall() : undefined;
  const block =
    call === undefined
      ? { type: "text", text: answer }
      : { type: "tool_use", id: `toolu_mock${n}`, name: call.name, input: call.input };
  const message = { id: `msg_mock${n}`, type: "message", role: "assistant", model: body.model, stop_sequence: null };
  const stop_reason = call === undefined ? "end_turn" : "tool_use";
  const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  if (!body.stream) return sendJson(response, 200, { ...message, content: [block], stop_reason, usage });
  const [empty, delta] =
    call === undefined
      ? [
          { type: "text", text: "" },
          { type: "text_delta", text: answer },
        ]
      : [
          { ...block, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(call.input) },
        ];
  sendEvents(response, [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
    { type: "content_block_start", index: 0, content_block: empty },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ]);
}

function speakResponses(response, body, { n, answer, nextCall }) {
  // Tools stand beside the input or, for models that call them from code, in it.
  const hasTools = body.tools?.length > 0 || body.input.some(({ type }) => type === "additional_tools");
  const item = responseItem(hasTools ? nextCall() : undefined, n, answer);
  const id = `resp_mock${n}`;
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  };
  sendEvents(response, [
    { type: "response.created", response: { id } },
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id, usage } },
  ]);
}

/** An input that is text makes the call of a free-form tool. */
function responseItem(call, n, answer) {
  if (call === undefined) {
    const content = [{ type: "output_text", text: answer, annotations: [] }];
    return { type: "message", id: `msg_mock${n}`, role: "assistant", content };
  }
  const named = { id: `fc_mock${n}`, call_id: `call_mock${n}`, name: call.name };
  if (typeof call.input === "string") return { type: "custom_tool_call", ...named, input: call.input };
  const namespace = call.namespace !== undefined && { namespace: call.namespace };
  return { type: "function_call", ...named, arguments: JSON.stringify(call.input), ...namespace };
}

async function readJson(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    return undefined;
  }
}

function sendJson(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function sendEvents(response, events) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}
