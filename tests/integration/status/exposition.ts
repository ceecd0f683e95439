/** One metric of a Prometheus exposition. */
export interface Family {
  name: string;
  help: string;
  type: string;
  /** Labels as they are written, without braces. */
  samples: { labels: string; value: number }[];
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)$/;
const SAMPLE =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[+-]Inf|NaN)$/;

/**
 * Reads Prometheus text 0.0.4 as its description has it: HELP, then TYPE, then the samples of each metric together. Throws
 * for any line that is none of these, or that stands elsewhere.
 */
export function readExposition(text: string): Family[] {
  if (!text.endsWith('\n')) throw new Error('The last line must end with a line feed');
  const families: Family[] = [];
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, helpName, help] = HELP.exec(line) ?? [];
    const [, typeName, type] = TYPE.exec(line) ?? [];
    const [, sampleName, labels = '', value] = SAMPLE.exec(line) ?? [];
    const current = families.at(-1);
    if (helpName !== undefined && help !== undefined) {
      if (families.some(({ name }) => name === helpName)) throw new Error(`${helpName} stands twice`);
      families.push({ name: helpName, help, type: '', samples: [] });
    } else if (typeName !== undefined && type !== undefined && current?.name === typeName) current.type = type;
    else if (sampleName !== undefined && current?.name === sampleName) {
      current.samples.push({ labels, value: Number(value) });
    } else throw new Error(`Not Prometheus text: ${line}`);
  }
  return families;
}
