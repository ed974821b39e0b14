import { articles } from './development/articles.ts'
import { events } from './development/events.ts'
import { homes } from './development/homes.ts'
import { jobs } from './development/jobs.ts'
import { cards } from './development/listing-cards.ts'
import { tables } from './development/listing-tables.ts'
import { people } from './development/people.ts'
import { products } from './development/products.ts'
import { threads } from './development/threads.ts'
import { articles as keptArticles } from './kept-back/articles.ts'
import { events as keptEvents } from './kept-back/events.ts'
import { homes as keptHomes } from './kept-back/homes.ts'
import { jobs as keptJobs } from './kept-back/jobs.ts'
import { cards as keptCards } from './kept-back/listing-cards.ts'
import { tables as keptTables } from './kept-back/listing-tables.ts'
import { people as keptPeople } from './kept-back/people.ts'
import { products as keptProducts } from './kept-back/products.ts'
import { threads as keptThreads } from './kept-back/threads.ts'
import { type BenchPage, type Half, makePage, type Template } from './template.ts'

/** Rules are written for the development half; the other half says what they are worth. */
export const templates: Record<Half, Template[]> = {
  development: [products, jobs, events, homes, people, articles, threads, cards, tables].flat(),
  'kept-back': [
    ...[
      keptProducts,
      keptJobs,
      keptEvents,
      keptHomes,
      keptPeople,
      keptArticles,
      keptThreads,
      keptCards,
      keptTables,
    ],
  ].flat(),
}

const pagesPerTemplate = 5

export function pagesOf(halves: readonly Half[]): BenchPage[] {
  return halves
    .flatMap((half) => templates[half])
    .flatMap((template) =>
      Array.from({ length: pagesPerTemplate }, (_, number) => makePage(template, number)),
    )
}
