import { readFileSync } from 'node:fs'
import { type Routes, sendHtml } from '../route.ts'

const article = readFileSync(new URL('../pages/article.html', import.meta.url), 'utf8')
const withBase = (href: string) => article.replace('<!-- base -->', `<base href="${href}">`)

export const articleRoutes: Routes = {
  '/article': (exchange) => sendHtml(exchange, article),
  // A deeper path, so that relative links resolve to other URLs than at the root.
  '/deep/er/article': (exchange) => sendHtml(exchange, article),
  '/article-with-base': (exchange) => sendHtml(exchange, withBase('/elsewhere/')),
  '/article-with-foreign-base': (exchange) => sendHtml(exchange, withBase('https://base.example/root/')),
}
