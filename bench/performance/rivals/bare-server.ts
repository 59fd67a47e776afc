/**
 * The floor of a server in Node: node:http with one answer to every request. It reads the answer from standard input
 * and prints its address.
 */
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const answer = (await json(process.stdin)) as { status: number; headers: Record<string, string>; body: string };
const { status, headers } = answer;
const body = Buffer.from(answer.body, "base64");
const server = createServer((_request, response) => {
  response.writeHead(status, headers);
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
