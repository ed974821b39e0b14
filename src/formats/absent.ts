import { defineFormat, type FormatNeed } from './format.ts'

/** Formats that clients know and this version cannot produce. The other requested formats are returned, with a warning. */

const needsModel = 'it needs a language model, which no format of this version uses'
const needsMedia = 'this version does not fetch videos'

export const deterministicJson = absent(
  'deterministicJson',
  'Values extracted by a script that is generated once.',
  needsModel,
)
export const highlights = absent('highlights', 'The passages that answer a question.', needsModel)
export const json = absent('json', 'Values extracted by a JSON schema.', needsModel)
export const menu = absent('menu', 'The menu of a restaurant.', needsModel)
export const query = absent('query', 'Older name of question and highlights.', needsModel)
export const question = absent('question', 'The answer to a question.', needsModel)
export const summary = absent('summary', 'The page in a few sentences.', needsModel)
export const video = absent('video', 'The video on the page.', needsMedia, 'network')

function absent<const Name extends string>(
  name: Name,
  description: string,
  why: string,
  needs: FormatNeed = 'page',
) {
  return defineFormat({
    name,
    description: `${description} Not available here.`,
    isAbsent: true,
    needs,
    options: {},
    output: {},
    render: () => ({ unavailable: `The format ${name} is not available here: ${why}.` }),
  })
}
