/** Blogs with three themes of Hexo: their start page, their archive, and a tag page. Runs hexo in the folder SITE. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { keep, list, packages } from './page.mjs'

const site = process.env.SITE
rmSync(site, { recursive: true, force: true })
mkdirSync(`${site}/source/_posts`, { recursive: true })
symlinkSync(packages, `${site}/node_modules`)
writeFileSync(
  `${site}/package.json`,
  JSON.stringify({ name: 'blog', version: '0.0.0', hexo: { version: '' }, ...dependencies() }),
)
for (const { slug, title, date, author, text } of list.articles) {
  const head = `title: ${title}\ndate: ${date} 09:00:00\nauthor: ${author}\ntags: [canal]\ncategories: [Notes]`
  writeFileSync(`${site}/source/_posts/${slug}.md`, `---\n${head}\n---\n\n${text}\n`)
}
const newest = list.articles.toReversed()
const host = 'https://blog.example.com'
/** Functions that format the date as the theme does, on its start page and in its archive. */
const themes = {
  landscape: [(date) => date, (date) => formatDate(date)],
  next: [(date) => date, (date) => date.slice(5)],
  fluid: [(date) => date, (date) => date.slice(5)],
}
for (const [theme, [onIndex, inArchive]] of Object.entries(themes)) {
  const config = {
    title: 'The towpath',
    url: host,
    author: 'The towpath',
    language: 'en',
    theme,
    timezone: 'UTC',
  }
  writeFileSync(
    `${site}/_config.yml`,
    JSON.stringify({ ...config, per_page: 10, archive_generator: { yearly: false, monthly: false } }),
  )
  execFileSync('node', ['node_modules/hexo-cli/bin/hexo', 'clean'], { cwd: site })
  execFileSync('node', ['node_modules/hexo-cli/bin/hexo', 'generate'], { cwd: site })
  const read = (path) => readFileSync(`${site}/public/${path}`, 'utf8')
  const rows = (format) =>
    newest.map(({ title, date }) => ({ kind: 'row', name: title, texts: [format(date)] }))
  const page = (name, path, records) =>
    keep(`hexo-${theme}`, name, read(path), {
      url: `${host}/${path.replace('index.html', '')}`,
      kind: 'listing',
      title: null,
      records,
    })
  page(
    'index',
    'index.html',
    rows(onIndex).map((row, index) => ({ ...row, texts: [...row.texts, newest[index].text] })),
  )
  page('archive', 'archives/index.html', rows(inArchive))
  page('tag', 'tags/canal/index.html', rows(inArchive))
}

function formatDate(date) {
  return new Date(date).toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
}

function dependencies() {
  const names = [
    'hexo',
    'hexo-renderer-ejs',
    'hexo-renderer-marked',
    'hexo-renderer-stylus',
    'hexo-generator-archive',
    'hexo-generator-category',
    'hexo-generator-tag',
    'hexo-generator-index',
    'hexo-theme-next',
    'hexo-theme-landscape',
    'hexo-theme-fluid',
  ]
  return { dependencies: Object.fromEntries(names.map((name) => [name, '*'])) }
}
