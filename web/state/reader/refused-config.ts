/** Why the engine refused a config.json, in sentences, with what to do about it. */

const missing = /^config\.json: (\S+) is missing$/;

/** "a, b and c". */
const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** Of the engine's problems: keys that are not there first, as a file of another kind of model lacks them. */
export function refusedConfig(problems: readonly { message: string }[]): string {
  const lacks = problems.flatMap(({ message }) => missing.exec(message)?.[1] ?? []);
  const wrong = problems.filter(({ message }) => !missing.test(message)).map(({ message }) => message);
  return [
    ...(lacks.length > 0
      ? [
          `config.json lacks ${listed(lacks)}. Drop the config.json that transformers wrote for a language model, or choose a similar model and type what differs under Shape.`,
        ]
      : []),
    ...(wrong.length > 0
      ? [`${wrong.join("; ").replace(/; got ([^;]*)/g, ", not $1")}. Correct the file and drop it again.`]
      : []),
  ].join(" ");
}
