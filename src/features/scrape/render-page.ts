import type { ActionResults, CapturedFile } from '../../content/page.ts'
import { type RenderedFormats, renderFormats } from '../../extraction/formats/index.ts'
import type { FetchResult } from '../../fetch/fetch-page.ts'
import { bestEffort } from '../../platform/functions.ts'
import { JsonText } from '../../platform/json/json.ts'
import { createAudio } from './audio.ts'
import { createChangeHistory } from './change-tracking.ts'
import type { ReadPage } from './read-page.ts'
import type { Document } from './schema.ts'
import { poolRequestOf, type ReadDeps, requesterOf, type ScrapeCall } from './scrape-call.ts'

export interface RenderedPage extends RenderedFormats {
  actions: Document['actions'] | undefined
  commit(): Promise<string[]>
}

export async function renderPage(deps: ReadDeps, call: ScrapeCall, read: ReadPage): Promise<RenderedPage> {
  const { job, plan, deadline } = call
  const { page } = read.fetched
  const storeFile = plan.retain
    ? (file: CapturedFile, hours: number) => deps.files.store(job.teamId, file, hours)
    : inlineFile
  const history = plan.retain
    ? createChangeHistory(
        { ...deps.histories, reader: deps.reader },
        { who: requesterOf(job), url: plan.fetch.url, redaction: plan.fetch.requestedParts.redaction, page },
        deadline,
      )
    : undefined
  const renderDeps = {
    page,
    isFile: read.file !== undefined,
    storeFile,
    history,
    model: deps.models(job.teamId, job.trace),
    sentences: deps.sentences?.(requesterOf(job)),
    work: deps.reader.valueWork(requesterOf(job), deadline.signal),
    audio: () => audioOf(deps, call, read.fetched),
    signal: deadline.signal,
  }
  const rendered = await deadline.during('render', () =>
    renderFormats(job.input.formats, read.content, renderDeps),
  )
  const actions = page.captures?.actions && (await toActionResults(page.captures.actions, storeFile))
  const commit = async () => {
    const isTracked = await bestEffort(deps.log, 'a tracked version could not be stored', async () => {
      await history?.commit()
      return true
    })
    return isTracked ? [] : [notTrackedWarning]
  }
  return { ...rendered, actions, commit }
}

const notTrackedWarning =
  'changeTracking: this version could not be stored; the next scrape is compared with the version before it.'

async function audioOf(deps: ReadDeps, { job, plan, deadline }: ScrapeCall, fetched: FetchResult) {
  if (!plan.cache.fetchOnMiss) return { reason: 'this call may only use the cache.' }
  const { upstream } = deps.fetching.tiers(plan.fetch)[fetched.tier]
  const owner = { team: job.teamId, job: poolRequestOf(job) }
  const audioDeps = { ...deps.audio, owner, verifyTls: plan.fetch.verifyTls, upstream }
  return createAudio(audioDeps, fetched.page, fetched.parts?.media() ?? [], deadline.signal)
}

type StoreFile = (file: CapturedFile, hours: number) => Promise<string | JsonText>

/** Returns a data URL, because zero retention does not allow storing the file. */
const inlineFile: StoreFile = async ({ mediaType, bytes }) =>
  JsonText.ofBase64(bytes, `data:${mediaType};base64,`)

async function toActionResults(results: ActionResults, storeFile: StoreFile) {
  const storeAll = (files: CapturedFile[]) => Promise.all(files.map((file) => storeFile(file, 24)))
  // A URL that is already serialized as JSON arrives as a string at the client.
  const screenshots = (await storeAll(results.screenshots)) as string[]
  const pdfs = (await storeAll(results.pdfs)) as string[]
  return { ...results, screenshots, pdfs }
}
