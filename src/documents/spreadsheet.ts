import type { ConvertedDocument } from './document.ts'
import { finish } from './finish.ts'
import { readOffice } from './office.ts'
import { officeMarkdown } from './office-markdown.ts'
import { packageMetadata } from './package-metadata.ts'
import { chartedSheets, chartMarkdown } from './sheet-charts.ts'
import { sheetNames } from './sheet-names.ts'
import type { DocumentType } from './types/document-type.ts'

/** Workbooks: a heading and a table for each sheet that is shown. */
export async function convert(bytes: Buffer, type: DocumentType): Promise<ConvertedDocument> {
  // The library's reader of xlsx tells the old and the binary format by their bytes.
  const document = await readOffice(bytes, type.name, type.name === 'ods' ? 'ods' : 'xlsx')
  const markdown = officeMarkdown(document)
  // The library heads the sheets only where there are several.
  const kinds: string[] = document.blocks.map((block) => block.kind)
  const isHeaded = kinds.includes('heading')
  const [name] = isHeaded || markdown.trim() === '' ? [] : sheetNames(bytes, type)
  const whole = (name === undefined ? '' : `${headOf(name)}\n\n`) + markdown
  const charts = type.name === 'xlsx' ? chartsOf(bytes, whole) : []
  return finish([whole, ...charts].join('\n\n'), { metadata: packageMetadata(bytes, type) })
}

const headOf = (name: string) => `## ${name.replace(/\s+/g, ' ').replace(/[\\`*_[\]<]/g, '\\$&')}`

/** A chart shows what cells hold: where the sheet has those, its title is all that is new. */
function chartsOf(bytes: Buffer, markdown: string): string[] {
  const lines = new Set(markdown.split('\n'))
  return chartedSheets(bytes).flatMap(({ name, charts }) => {
    const head = headOf(name)
    const isKnown = lines.has(head)
    return [...(isKnown ? [] : [head]), ...charts.map((chart) => chartMarkdown(chart, !isKnown))]
  })
}
