import { statSync } from 'node:fs'
import { extname } from 'node:path'
import type { DownloadFormat } from '../../pages-job.ts'
import type { Context } from '../command.ts'
import { UsageError } from '../usage-error.ts'

type Target = { kind: 'none' } | { kind: 'file' | 'folder'; path: string }

/** Where the result of one call goes. */
export function targetOf({ values }: Pick<Context, 'values'>): Target {
  const path = values.texts.get('output')
  if (path === undefined) return { kind: 'none' }
  if (path === '') throw new UsageError('--output has no path. Name a file or a folder.')
  if (!isFolder(path)) return { kind: 'file', path }
  if (values.flags.has('json'))
    throw new UsageError('A folder gets Markdown files. For --json, name a file: --output page.json')
  return { kind: 'folder', path }
}

type PagesTarget =
  | { kind: 'none' }
  | { kind: 'folder' | 'markdown'; path: string }
  | { kind: 'download'; path: string; format: DownloadFormat }

const downloads: Record<string, DownloadFormat> = { '.jsonl': 'jsonl', '.csv': 'csv', '.zip': 'zip' }

/** Where the pages of a crawl or batch go: by the ending of the path, else a folder. */
export function pagesTargetOf({ values }: Pick<Context, 'values'>): PagesTarget {
  const path = values.texts.get('output')
  if (path === undefined) return { kind: 'none' }
  if (path === '') throw new UsageError('--output has no path. Name a folder, or a file.')
  const ending = extname(path).toLowerCase()
  const format = downloads[ending]
  if (values.flags.has('json') && format !== 'jsonl')
    throw new UsageError('--json goes to standard output. For a file of JSON lines: --output pages.jsonl')
  if (isFolder(path)) return { kind: 'folder', path }
  if (format) return { kind: 'download', path, format }
  if (ending === '.md') return { kind: 'markdown', path }
  if (ending === '.json') throw new UsageError('Pages come as JSON lines: --output pages.jsonl')
  return { kind: 'folder', path }
}

function isFolder(path: string): boolean {
  if (/[\\/]$/.test(path)) return true
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
