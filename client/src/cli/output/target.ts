import { statSync } from 'node:fs'
import { extname } from 'node:path'
import type { DownloadFormat } from '../../pages-job.ts'
import type { Context } from '../command.ts'
import { UsageError } from '../usage-error.ts'

type Target = { kind: 'none' } | { kind: 'file' | 'folder'; path: string }

/** Returns the output target of a single result. */
export function getTarget({ values }: Pick<Context, 'values'>): Target {
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

/** Returns the output target for the pages of a crawl or batch, by the file extension. Default: a folder. */
export function getPagesTarget({ values }: Pick<Context, 'values'>): PagesTarget {
  const path = values.texts.get('output')
  if (path === undefined) return { kind: 'none' }
  if (path === '') throw new UsageError('--output has no path. Name a folder, or a file.')
  const extension = extname(path).toLowerCase()
  const format = downloads[extension]
  if (values.flags.has('json') && format !== 'jsonl')
    throw new UsageError('--json goes to standard output. For a file of JSON lines: --output pages.jsonl')
  if (isFolder(path)) return { kind: 'folder', path }
  if (format) return { kind: 'download', path, format }
  if (extension === '.md') return { kind: 'markdown', path }
  if (extension === '.json') throw new UsageError('Pages come as JSON lines: --output pages.jsonl')
  return { kind: 'folder', path }
}

function isFolder(path: string): boolean {
  if (/[\\/]$/.test(path)) return true
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
