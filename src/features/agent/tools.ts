import type { ToolOffer } from '../../ports/language-model.ts'
import type { AgentInput } from './stored.ts'

/** Pages that one step may read. */
export const mostPagesAtOnce = 10

const search: ToolOffer = {
  name: 'search',
  description: 'Search the web. Answers addresses with titles and descriptions.',
  schema: object({ query: { type: 'string', description: 'Words as for a search engine.' } }),
}

const discover: ToolOffer = {
  name: 'discover',
  description: 'List pages of a site, the most relevant first.',
  schema: object({
    url: { type: 'string', description: 'The site, or a part of it.' },
    about: { type: 'string', description: 'Words that the pages should be about.' },
  }),
}

const scrape: ToolOffer = {
  name: 'scrape',
  description: `Read up to ${mostPagesAtOnce} pages. What each of them states of the wanted fields is kept.`,
  schema: object({ urls: { type: 'array', items: { type: 'string' } } }),
}

const browse: ToolOffer = {
  name: 'browse',
  description:
    'Do something on a page in a browser, then read what it shows: search, filter, open the next page of a list, choose a tab. For what no address leads to.',
  schema: object({
    url: { type: 'string', description: 'The page to begin on.' },
    task: { type: 'string', description: 'What to do there, in words. The page that it ends on is read.' },
  }),
}

const done: ToolOffer = {
  name: 'done',
  description: 'End, when the pages that were read state what is wanted, or nothing more can be found.',
  schema: object({
    sources: {
      type: 'array',
      items: { type: 'string' },
      description: 'Addresses of the pages whose values shall be used; empty for all of them.',
    },
  }),
}

const doneWithAnswer: ToolOffer = {
  name: 'done',
  description: 'End with an answer in words. It must rest on the answers of pages that were read.',
  schema: object({ answer: { type: 'string' } }),
}

/** What the model may do in a run. */
export function toolsFor({ request }: AgentInput, { hasBrowser }: { hasBrowser: boolean }): ToolOffer[] {
  const { strictConstrainToURLs, urls, mode } = request
  const hasSite = urls.some((url) => url.endsWith('/*'))
  return [
    ...(strictConstrainToURLs ? [] : [search]),
    ...(strictConstrainToURLs && !hasSite ? [] : [discover]),
    scrape,
    ...(hasBrowser ? [browse] : []),
    mode === 'chat' ? doneWithAnswer : done,
  ]
}

function object(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
