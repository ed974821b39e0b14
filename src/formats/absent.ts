import { defineFormat, type FormatNeed } from './format.ts'

/** Formats that clients know and that cannot be made here. What else was asked for comes back, and says that they are not. */

const needsModel = 'it is written by a language model, which no format of this version uses'
const needsMedia = 'videos are not fetched by this version'

export const deterministicJson = absent(
  'deterministicJson',
  'Values by a script that is made once.',
  needsModel,
)
export const highlights = absent('highlights', 'The passages that answer a question.', needsModel)
export const json = absent('json', 'Values by a JSON schema.', needsModel)
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
