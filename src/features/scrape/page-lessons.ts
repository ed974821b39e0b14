import { digest } from '../../base/digest.ts'
import type { TaughtValues } from '../../formats/format.ts'
import type { PartWishes } from '../../page-data/parts.ts'
import type { PageReader } from '../../page-threads/page-reader.ts'
import type { Observation } from '../../reading/learned/observe.ts'
import type { LearnedKey } from '../../store/learned.ts'
import type { LearnedPlaces } from './learned-places.ts'
import type { ReadPage } from './read-page.ts'
import type { ScrapeRequest } from './schema.ts'
import { type Walk, whoOf } from './walk.ts'

/** A call whose page is read with what its team has learned; the same call where nothing may be kept of it. */
export async function withLearned(learned: LearnedPlaces | undefined, walk: Walk): Promise<Walk> {
  const { job, plan, wishes } = walk
  const key = learned && plan.retain && wishes.json ? keyOf(job.teamId, plan.fetch.url, job.input) : undefined
  if (!learned || !key || !wishes.json) return walk
  const memory = await walk.deadline.during('cache', () => learned.find(key))
  // The value that is wanted may stand on one of many pages alike.
  const asksAll = 'isGathered' in job.input
  const json = { ...wishes.json, learned: { memory, asksAll } }
  return { ...walk, learnedKey: key, wishes: { ...wishes, json } }
}

/** What is asked, and of whom; without a schema there is nothing that the next page could be asked again. */
function keyOf(teamId: string, { host }: URL, { formats }: ScrapeRequest): LearnedKey | undefined {
  const asked = formats.find((format) => format.type === 'json')
  // A value must not seem to have changed because its place was learned.
  const isCompared = formats.some(
    (format) => format.type === 'changeTracking' && format.modes.includes('json'),
  )
  if (asked?.schema === undefined || isCompared) return undefined
  const id = digest([JSON.stringify([teamId, host, asked.schema, asked.prompt ?? ''])])
  return { id, teamId, host }
}

/** What one page teaches. */
export interface PageLessons {
  /** Notes what the language model has said of it. */
  teach(taught: TaughtValues): void
  /** Stores it for the next page. Called when the scrape has ended well; never fails. */
  commit(): Promise<void>
}

export function pageLessons(
  { learned, reader }: { learned: LearnedPlaces | undefined; reader: PageReader },
  walk: Walk,
  read: ReadPage,
): PageLessons | undefined {
  const { learnedKey, wishes } = walk
  const { json } = wishes
  // A converted file has no template, and what is said instead of a page has another one.
  const isPage = !read.file && read.fetched.page.status < 400
  if (!learned || !learnedKey || !json || !isPage) return undefined
  let taught: TaughtValues | undefined
  return {
    teach(values) {
      taught = values
    },
    commit: () =>
      learned.learn(learnedKey, () =>
        taught
          ? readAgain(reader, walk, {
              read,
              json: { ...json, learned: { memory: json.learned?.memory, taught } },
            })
          : read.content.json().observation,
      ),
  }
}

/** Where the page has what the model has quoted is found out where pages are read. */
async function readAgain(
  reader: PageReader,
  { job, plan, deadline }: Walk,
  { read, json }: { read: ReadPage; json: NonNullable<PartWishes['json']> },
): Promise<Observation | undefined> {
  // The answer is made: a call that has no time left ends without it.
  if (deadline.signal.aborted) return undefined
  const request = { options: plan.content, wishes: { json }, judging: 'none' as const, who: whoOf(job) }
  const again = await reader.read(read.fetched.page, request, deadline.signal).catch((thrown: unknown) => {
    if (deadline.signal.aborted) return undefined
    throw thrown
  })
  return again?.parts?.json().observation
}
