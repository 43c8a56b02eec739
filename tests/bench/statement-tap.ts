import net from 'node:net';

type Statement = { text: string; name?: string; values: (string | null)[] };
/** The statements sent together before any answer came: one round trip each. */
export type Trips = Statement[][];

/** A stand-in for a PostgreSQL server that passes everything on to it and can tell which statements went through. */
export async function tapStatements(databaseUrl: string) {
  const upstream = new URL(databaseUrl);
  let trips: Trips = [];
  let unanswered = 0;
  const note = (statement: Statement) => {
    if (unanswered === 0) trips.push([]);
    trips.at(-1)?.push(statement);
    unanswered += 1;
  };

  const server = net.createServer((client) => {
    const database = net.connect({ port: Number(upstream.port), host: upstream.hostname, noDelay: true });
    const ask = readStatements(note);
    // The first message, who connects to what, has no type.
    const questions = splitMessages(ask, { startsUntyped: true });
    const answers = splitMessages((type) => {
      if (type === 'Z') unanswered = Math.max(0, unanswered - 1);
    });
    client.on('data', (piece) => {
      questions(piece);
      database.write(piece);
    });
    database.on('data', (piece) => {
      answers(piece);
      client.write(piece);
    });
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as net.AddressInfo).port);

  /** The statements that `work` causes; what the server does by itself meanwhile would be among them. */
  async function record<Result>(work: () => Promise<Result>): Promise<{ result: Result; trips: Trips }> {
    trips = [];
    unanswered = 0;
    const result = await work();
    return { result, trips };
  }
  return { url: url.href, record, close: () => server.close() };
}

/** PostgreSQL's messages: a letter, a length that counts itself, and so many bytes. */
function splitMessages(
  use: (type: string, body: Buffer) => void,
  { startsUntyped = false } = {},
): (piece: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let typeBytes = startsUntyped ? 0 : 1;
  return (piece) => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    while (rest.length >= typeBytes + 4) {
      const length = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < length) return;
      use(rest.toString('latin1', 0, typeBytes), rest.subarray(typeBytes + 4, length));
      rest = rest.subarray(length);
      typeBytes = 1;
    }
  };
}

/** Puts together what a client sends of a statement: its text, perhaps long ago and under a name, and its values. */
function readStatements(note: (statement: Statement) => void) {
  const texts = new Map<string, string>();
  let bound: Statement | undefined;
  return (type: string, body: Buffer) => {
    if (type === 'Q') note({ text: textAt(body, 0).text, values: [] });
    if (type === 'P') {
      const name = textAt(body, 0);
      texts.set(name.text, textAt(body, name.end).text);
    }
    if (type === 'B') {
      const name = textAt(body, textAt(body, 0).end);
      bound = { text: texts.get(name.text) ?? '', values: readValues(body, name.end) };
      if (name.text !== '') bound.name = name.text;
    }
    if (type === 'S' && bound) {
      note(bound);
      bound = undefined;
    }
  };
}

function textAt(body: Buffer, start: number): { text: string; end: number } {
  const end = body.indexOf(0, start);
  return { text: body.toString('utf8', start, end), end: end + 1 };
}

function readValues(body: Buffer, start: number): (string | null)[] {
  const formats = body.readInt16BE(start);
  let at = start + 2 + 2 * formats;
  const count = body.readInt16BE(at);
  at += 2;
  return Array.from({ length: count }, () => {
    const length = body.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    at += length;
    return body.toString('utf8', at - length, at);
  });
}
