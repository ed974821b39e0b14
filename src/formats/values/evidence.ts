import { z } from 'zod'

const evidence = z.object({
  text: z.string().describe('What the page says there.'),
  reader: z.string().describe('How it was read: json-ld, microdata, label, table, records and so on.'),
  selector: z.string().optional().describe('The element in which the text stands, as a CSS selector.'),
  property: z.string().optional().describe('The property in structured data or metadata.'),
})

/** What formats return that fill a schema. */
export const valueOutput = {
  json: z.unknown().describe('The values, in the shape of the schema.'),
  jsonEvidence: z
    .record(z.string(), evidence)
    .describe('Where each value comes from, by its path: `offers.price`, `items[0].name`.'),
}
