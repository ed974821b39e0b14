import type { Team } from '../../accounts/team.ts'
import type { ModelOfTeam } from '../../accounts/team-models.ts'
import { newId } from '../../base/ids.ts'
import type { FoundDoc, SearchDocs } from '../../search/docs/search-docs.ts'
import { quotedAnswer } from './quote-docs.ts'
import type { DocsSearchAnswer, DocsSearchRequest } from './schema.ts'
import { noUsage, writeDocsAnswer } from './write-answer.ts'

export interface DocsSearchNeeds {
  searchDocs: SearchDocs
  models: ModelOfTeam
}

const mostEvidence = 5
/** Sections further behind the best one answer something else. */
const leastShare = 0.4

/** Answers a question about the service from its own documentation. */
export async function searchDocumentation(
  { searchDocs, models }: DocsSearchNeeds,
  call: { team: Team; request: DocsSearchRequest },
  signal: AbortSignal,
): Promise<DocsSearchAnswer> {
  const began = performance.now()
  const { question } = call.request
  const all = await searchDocs(question, mostEvidence)
  const best = Math.max(...all.map(({ score }) => score))
  const found = all.filter(({ score }) => score >= leastShare * best)
  const written = await answerOf(models(call.team.id), { question, found }, signal)
  const { inputTokens, outputTokens } = written.usage
  return {
    requestId: `req_${newId()}`,
    answer: written.answer,
    evidence: written.evidence.map((doc) => ({ pathOrUrl: doc.pathOrUrl, reason: reasonOf(doc) })),
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    durationMs: Math.round(performance.now() - began),
    ...(written.warning === undefined ? {} : { warning: written.warning }),
  }
}

const nothing =
  'The documentation of this service does not answer this: no section of it has enough of the words of the question. ' +
  'Ask with the names of options, settings or errors, or read the reference at /docs/reference.'

async function answerOf(
  model: ReturnType<ModelOfTeam>,
  { question, found }: { question: string; found: FoundDoc[] },
  signal: AbortSignal,
) {
  if (found.length === 0) return { answer: nothing, evidence: [], usage: noUsage, warning: undefined }
  if (!model) return { answer: quotedAnswer(found), evidence: found, usage: noUsage, warning: undefined }
  const written = await writeDocsAnswer(model, { question, found }, signal)
  if ('answer' in written) return { ...written, warning: undefined }
  const warning = `answer: quoted from the documentation, because ${written.problem}.`
  return { answer: quotedAnswer(found), evidence: found, usage: written.usage, warning }
}

function reasonOf({ title, headings, words }: FoundDoc): string {
  const place = [...headings, title].join(' › ')
  return `${place}. It has of the question: ${words.join(', ')}.`
}
