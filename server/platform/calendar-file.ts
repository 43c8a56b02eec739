import { addDays, type ManilaDate } from '#domain/calendar.ts';

/** An entry that lasts a whole day, wherever the reader of the calendar is. */
export type CalendarEvent = {
  /** Its name for good: adding an entry of the same name changes the one that is there. */
  uid: string;
  /** Counts the changes; the higher one wins. */
  sequence: number;
  writtenAt: Date;
  day: ManilaDate;
  summary: string;
  /** Lines are kept. */
  description: string;
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  reminder?: { hoursBefore: number; text: string };
};

/** An iCalendar file (RFC 5545). */
export function calendarText(events: readonly CalendarEvent[], about: { language: string }): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//Hiram//Payment schedule//${about.language.toUpperCase()}`,
    'CALSCALE:GREGORIAN',
    ...events.flatMap((event) => eventLines(event, about.language)),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

function eventLines(event: CalendarEvent, language: string): string[] {
  const { uid, sequence, writtenAt, day, summary, description, status, reminder } = event;
  const text = (name: string, value: string) => folded(`${name};LANGUAGE=${language}:${escaped(value)}`);
  return [
    'BEGIN:VEVENT',
    folded(`UID:${escaped(uid)}`),
    `DTSTAMP:${utcText(writtenAt)}`,
    `LAST-MODIFIED:${utcText(writtenAt)}`,
    `SEQUENCE:${sequence}`,
    `DTSTART;VALUE=DATE:${dayText(day)}`,
    // The end is the day after: it is not part of the entry.
    `DTEND;VALUE=DATE:${dayText(addDays(day, 1))}`,
    text('SUMMARY', summary),
    text('DESCRIPTION', description),
    `STATUS:${status}`,
    // A due date does not make anybody busy.
    'TRANSP:TRANSPARENT',
    ...(reminder
      ? [
          'BEGIN:VALARM',
          'ACTION:DISPLAY',
          text('DESCRIPTION', reminder.text),
          `TRIGGER:-PT${reminder.hoursBefore}H`,
          'END:VALARM',
        ]
      : []),
    'END:VEVENT',
  ];
}

const dayText = (day: ManilaDate) => day.replaceAll('-', '');

/** `20261120T024200Z`. */
const utcText = (moment: Date) => `${moment.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** A value of type TEXT (RFC 5545 section 3.3.11). Characters that no calendar may hold are left out. */
function escaped(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, '')
    .replace(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll('\n', '\\n');
}

const LINE_BYTES = 75;

/** A line of at most 75 bytes, the rest on lines that begin with a space (RFC 5545 section 3.1). No character is cut. */
function folded(line: string): string {
  let written = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES) {
      written += '\r\n ';
      bytes = 1;
    }
    written += character;
    bytes += size;
  }
  return written;
}
