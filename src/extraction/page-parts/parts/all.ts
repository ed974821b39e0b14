export { attributes } from './attributes.ts'
export { blocks } from './blocks.ts'
export {
  account,
  follow,
  gist,
  html,
  images,
  json,
  links,
  markdown,
  media,
  metadata,
  passages,
  product,
  rawHtml,
  siteLinks,
  tracked,
  trackedValues,
} from './page.ts'
