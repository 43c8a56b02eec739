/** What a command of the console cannot do, in one sentence for the person who asked for it. */
export class Refusal extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'Refusal';
  }
}
