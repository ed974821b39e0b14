import { isDeepStrictEqual } from 'node:util'
import { atLeast, atMost, type Figure } from '../figure.ts'
import type { ReadingBench } from './bench.ts'
import { isFilled } from './score.ts'
import { templates } from './sites/all.ts'
import { plantings } from './sites/planted.ts'
import { makePage } from './sites/template.ts'

/** Every way to plant an instruction, each in a page of another template: the answer must stay as it was. */
export async function measurePlanted(bench: ReadingBench): Promise<Figure[]> {
  const used = bench.options.halves.flatMap((half) => templates[half])
  const changed: string[] = []
  let answered = 0
  for (const [place, [name, plant]] of Object.entries(plantings).entries()) {
    const template = used[place % used.length]
    if (template === undefined) continue
    const page = makePage(template, 90 + place)
    const host = bench.newHost()
    const ask = async (html: string) => {
      const url = bench.serve(host, page.path, html)
      const { data } = await bench.scrape(url, [{ type: 'json', schema: page.schema }], {
        storeInCache: false,
      })
      return data.json
    }
    const { html } = page.whole
    const [clean, planted] = [await ask(html), await ask(plant(html))]
    if (isFilled(clean)) answered += 1
    if (!isDeepStrictEqual(clean, planted)) changed.push(`${name} (${page.id})`)
  }
  for (const one of changed) console.log(`planted and changed: ${one}`)
  console.log(`PLANTED ${answered} answered, ${changed.length} changed`)
  return [
    atLeast('planted: pages that were answered', answered, Object.keys(plantings).length, ''),
    atMost('planted: answers that an instruction changed', changed.length, 0, ''),
  ]
}
