/** A part of a calendar: its properties by name (with whatever is said about them), and the parts within. */
export type CalendarPart = {
  name: string;
  properties: Map<string, { parameters: Record<string, string>; value: string }>;
  parts: CalendarPart[];
};

/**
 * Reads an iCalendar file as a calendar does (RFC 5545 sections 3.1 and 3.6), and throws for what a strict one refuses:
 * other ends of line, lines over 75 bytes, a part that is not closed, a property twice.
 */
export function readCalendar(text: string): CalendarPart {
  if (!text.endsWith('\r\n')) throw new Error('the last line has no end');
  const lines = text.slice(0, -2).split('\r\n');
  for (const line of lines) {
    if (/[\r\n]/.test(line)) throw new Error(`a bare end of line in ${JSON.stringify(line)}`);
    if (Buffer.byteLength(line) > 75) throw new Error(`more than 75 bytes: ${line}`);
    if (line.includes('\uFFFD')) throw new Error(`a character was cut: ${line}`);
  }
  const unfolded = lines
    .join('\r\n')
    .replaceAll(/\r\n[ \t]/g, '')
    .split('\r\n');
  const outside: CalendarPart = { name: '', properties: new Map(), parts: [] };
  const open = [outside];
  for (const line of unfolded) {
    const match = /^([A-Z-]+)((?:;[A-Z-]+=[^;:",]+)*):(.*)$/s.exec(line);
    if (!match) throw new Error(`not a property: ${line}`);
    const [, name = '', said = '', value = ''] = match;
    const part = open.at(-1) ?? outside;
    if (name === 'BEGIN') {
      const inner = { name: value, properties: new Map(), parts: [] };
      part.parts.push(inner);
      open.push(inner);
    } else if (name === 'END') {
      if (open.pop()?.name !== value) throw new Error(`${value} ends where it did not begin`);
    } else {
      if (part.properties.has(name)) throw new Error(`${name} stands twice in ${part.name}`);
      const parameters = Object.fromEntries(
        said
          .split(';')
          .slice(1)
          .map((one) => one.split('=')),
      );
      part.properties.set(name, { parameters, value });
    }
  }
  const [calendar, ...more] = outside.parts;
  if (!calendar || more.length > 0 || open.length !== 1) throw new Error('not one whole calendar');
  return calendar;
}

/** A value of type TEXT as it is meant. */
export function textOf(part: CalendarPart, name: string): string {
  const { value } = part.properties.get(name) ?? {};
  if (value === undefined) throw new Error(`${part.name} has no ${name}`);
  if (/(?<!\\)(?:\\\\)*[;,]/.test(value)) throw new Error(`unescaped in ${name}: ${value}`);
  return value.replaceAll(/\\([nN\\;,])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign));
}
