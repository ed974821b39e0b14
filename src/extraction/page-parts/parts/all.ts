export { attributes } from './attributes.ts'
export { blocks } from './blocks.ts'
export {
  account,
  follow,
  html,
  images,
  links,
  markdown,
  media,
  metadata,
  product,
  rawHtml,
  siteLinks,
} from './page.ts'
export { gist, passages } from './sentences.ts'
export { json, tracked, trackedValues } from './values.ts'
