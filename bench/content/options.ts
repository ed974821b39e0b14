import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { MeasureError } from '../figure.ts'

export interface Options {
  folder: string
  split: string
  systems?: string[]
  sets?: string[]
  sample: number
  slowSample: number
  service?: { base: string; key: string }
  from?: string
  out?: string
  dump?: string
  worst: number
  shouldWriteDocument: boolean
}

const defaultFolder = fileURLToPath(new URL('../../../shared/bench-content', import.meta.url))

const usage = `npm run bench -- content [options]
  --systems LIST      winnow, readability, defuddle, selector-list, turndown, node-html-markdown; default: all
                      variants of winnow with other options: winnow-clean, winnow-whole, winnow-whole-clean
  --sets LIST         aeb, traf, wcxb, readability, defuddle, h2m; default: all
  --split NAME        dev (default) or train
  --sample SHARE      only this share of the pages, by hash: 0.2 is a fifth
  --slow-sample SHARE the same for slow systems only
  --base URL          measures winnow through a running service, which must be allowed to fetch from loopback
  --key KEY           its key
  --out FILE          stores the results of each page as JSON
  --from FILE         shows the results of such a file instead of measuring
  --write             puts the table into docs/quality.md
  --dump FOLDER       stores the Markdown of each page
  --worst COUNT       lists the worst pages of each set
  --pages FOLDER      folder of the benchmark pages, also BENCH_CONTENT; default: ../shared/bench-content`

export function readOptions(args: string[]): Options {
  const { values } = parse(args)
  const { base, key = process.env.API_KEY ?? '', from, out, dump } = values
  return {
    folder: values.pages ?? process.env.BENCH_CONTENT ?? defaultFolder,
    split: values.split,
    ...(values.systems && { systems: values.systems.split(',') }),
    ...(values.sets && { sets: values.sets.split(',') }),
    sample: parseShare('sample', values.sample),
    slowSample: parseShare('slow-sample', values['slow-sample']),
    ...(base && { service: { base: base.replace(/\/$/, ''), key } }),
    ...(from && { from }),
    ...(out && { out }),
    ...(dump && { dump }),
    worst: Number(values.worst),
    shouldWriteDocument: values.write,
  }
}

function parse(args: string[]) {
  const stringOption = { type: 'string' } as const
  try {
    return parseArgs({
      args,
      options: {
        systems: stringOption,
        sets: stringOption,
        split: { ...stringOption, default: 'dev' },
        sample: { ...stringOption, default: '1' },
        'slow-sample': { ...stringOption, default: '1' },
        base: stringOption,
        key: stringOption,
        out: stringOption,
        from: stringOption,
        write: { type: 'boolean', default: false },
        dump: stringOption,
        worst: { ...stringOption, default: '0' },
        pages: stringOption,
      },
    })
  } catch (error) {
    throw new MeasureError(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
}

function parseShare(name: string, text: string): number {
  const value = Number(text)
  if (value > 0 && value <= 1) return value
  throw new MeasureError(`--${name} is a share above 0 and up to 1, not ${text}.`)
}
