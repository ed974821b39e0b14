import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Capability, capabilities } from '../features/capabilities.ts'
import { findCodePrograms } from '../sessions/code/programs.ts'
import type { Model } from './model.ts'
import { findSentenceModel } from './search.ts'
import type { Settings } from './settings.ts'

export function installedCapabilities(
  settings: Settings,
  detected: { sandboxProblem: string | undefined; searchProviders: string[]; model: Model | undefined },
): () => Capability[] {
  const isEmbedded = settings.store.databaseUrl === undefined
  const facts = {
    store: isEmbedded ? 'SQLite' : 'PostgreSQL',
    blobs: settings.store.bucket ? 'S3 bucket' : 'files on this machine',
    storeFolder: isEmbedded ? settings.store.dataDir : undefined,
    blobsFolder: settings.store.bucket ? undefined : settings.store.dataDir,
    chromiumPath: settings.chromiumPath,
    tesseractPath: settings.tesseractPath,
    sentenceModel: settings.sentenceModel === 'off' ? 'off' : findSentenceModel(settings),
    console: findConsoleFolder(settings),
    searchIndex: settings.search.index,
    searchVectors: settings.search.vectors,
    ...findCodePrograms(settings),
  }
  return () => capabilities({ ...detected, ...facts, model: detected.model?.fact() })
}

/** Returns the folder of the console; undefined if none is built, `off` if it is disabled. */
export function findConsoleFolder({ console }: Pick<Settings, 'console'>): string | undefined {
  if (console === undefined || console === 'off') return console
  return existsSync(join(console, 'index.html')) ? console : undefined
}
