/** What the page says of a link that asks for things it does not know. */

const preset = /^(pin\.)?(model|link|system)=(.*)$/s;
const setting = /^((?:pin\.)?[a-z_]+)=(.*)$/s;
const mostNames = 12;
const mostLetters = 40;

const cut = (text: string): string => (text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text);

/** As many names as a sentence can bear. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map(cut).join(", ");
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}

function noteOf(said: string): string | undefined {
  const [, pinned, kind, id] = preset.exec(said) ?? [];
  if (kind) return `There is no ${kind} “${cut(id!)}”${pinned ? " to compare with" : ""}.`;
  const [, name, value] = setting.exec(said) ?? [];
  if (name === "view") return `There is no view “${cut(value!)}”.`;
  return name && `${name} cannot be “${cut(value!)}”.`;
}

/** Sentences about what was left out (`unknown`: names alone, or name=value) and what stands in its field all the same. */
export function linkNotes(unknown: readonly string[], wrong: readonly string[]): string[] {
  const notes = unknown.map(noteOf);
  const names = unknown.filter((_, index) => !notes[index]);
  const values = notes.filter((note) => note !== undefined);
  return [
    ...(names.length > 0 ? [`The link also says ${listed(names)}, which this page does not know.`] : []),
    ...values.slice(0, mostNames),
    ...(values.length > mostNames ? [`${values.length - mostNames} more values are unknown.`] : []),
    ...(unknown.length > 0 ? ["What is unknown was left out."] : []),
    ...(wrong.length > 0 ? [`The link gives values that cannot be: ${listed(wrong)}. Their fields say why.`] : []),
  ];
}
