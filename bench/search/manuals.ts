import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { PageToIndex } from '../../src/search/index/page-documents.ts'
import { type Figure, figure } from '../figure.ts'
import { addPages, findUrls } from './find-urls.ts'
import { toPageToIndex } from './real-pages.ts'
import type { BenchStore } from './stores.ts'

/** HTML manuals of the Debian packages `debian-handbook` and `bibletime-data`, below /usr/share/doc. */
const manuals = {
  German: { files: ['debian-handbook/html/de-DE', 'bibletime-data/*/html/de'], script: /\p{Script=Latin}/u },
  Arabic: { files: ['debian-handbook/html/ar-MA', 'bibletime-data/*/html/ar'], script: /\p{Script=Arabic}/u },
  Japanese: {
    files: ['debian-handbook/html/ja-JP', 'bibletime-data/*/html/ja'],
    script: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  },
  Thai: { files: ['bibletime-data/*/html/th'], script: /\p{Script=Thai}/u },
}

interface ManualPage {
  language: string
  title: string
  page: PageToIndex
}

/**
 * Returns the pages whose title is written in the language of their manual. Parts of the manuals are not translated.
 */
function readManuals(folder: string): ManualPage[] {
  return Object.entries(manuals).flatMap(([language, { files, script }]) =>
    files
      .flatMap((pattern) => globSync(join(folder, pattern, '*.html')).sort())
      .map((path) => {
        const url = `https://manuals.test${path.slice(folder.length)}`
        const page = toPageToIndex(url, readFileSync(path, 'utf8'))
        return { language, title: page.fields.title.replace(/^[\d.\s]+/, ''), page }
      })
      .filter(({ title, page }) => script.test(title) && !basename(page.url).startsWith('index')),
  )
}

/** Measures whether pages are found by their titles, without the sentence model, which supports only English. */
export async function measureManuals(store: BenchStore, folder: string): Promise<Figure[]> {
  const pages = readManuals(folder)
  await addPages(
    store,
    pages.map(({ page }) => page),
  )
  const figures: Figure[] = []
  for (const [language, languagePages] of Map.groupBy(pages, ({ language }) => language)) {
    let found = 0
    for (const { title, page } of languagePages) {
      const urls = await findUrls(store, title, { limit: 10 })
      if (urls.includes(page.url)) found += 1
    }
    const name = `${store.name}: manuals, success@10 by ${language} titles (${languagePages.length})`
    figures.push(figure(name, found / languagePages.length, ''))
  }
  return figures
}

export const hasManuals = (folder: string) =>
  ['debian-handbook', 'bibletime-data'].every((name) => existsSync(join(folder, name)))
