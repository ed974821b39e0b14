import { arxiv } from './arxiv.ts'
import { brave } from './brave.ts'
import { crossref } from './crossref.ts'
import { duckduckgo } from './duckduckgo.ts'
import { gdelt } from './gdelt.ts'
import { generic } from './generic.ts'
import { github, githubIssues } from './github.ts'
import { google } from './google.ts'
import { googleNews } from './google-news.ts'
import { openalex } from './openalex.ts'
import { openverse } from './openverse.ts'
import type { SearchProvider } from './provider.ts'
import { searxng } from './searxng.ts'
import { serper } from './serper.ts'
import { tavily } from './tavily.ts'
import { wikimediaCommons } from './wikimedia-commons.ts'
import { wikipedia } from './wikipedia.ts'

/** All providers: first those that the operator configures, then those without a key. */
export const providers: readonly SearchProvider[] = [
  searxng,
  brave,
  serper,
  google,
  tavily,
  generic,
  duckduckgo,
  github,
  githubIssues,
  arxiv,
  crossref,
  openalex,
  openverse,
  wikimediaCommons,
  gdelt,
  googleNews,
  wikipedia,
]
