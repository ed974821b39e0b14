import { readCurrency } from '../../reading/values/money.ts'
import type { Draft, Subject } from './draft.ts'
import { type Fields, fieldOf, isFields, listOf } from './fields.ts'
import { productFromFields, titleOf } from './from-fields.ts'

/** The one product that the page told its tag manager is being looked at. */
export function productFromDataLayer(pushes: unknown[], subject: Subject): Draft | undefined {
  for (const push of pushes.filter(isFields)) {
    const commerce = fieldOf(push, ['ecommerce'])
    if (!isFields(commerce)) continue
    const [viewed, ...others] = viewedIn(push, commerce)
    if (!viewed || others.length > 0 || !titleOf(viewed)) continue
    const currency = fieldOf(commerce, ['currency', 'currencyCode'])
    const stated = typeof currency === 'string' ? readCurrency(currency) : undefined
    return productFromFields(viewed, subject, stated)
  }
  return undefined
}

/** The newer form names the event; the older has a place of its own for what is looked at. */
function viewedIn(push: Fields, commerce: Fields): Fields[] {
  const detail = fieldOf(commerce, ['detail'])
  const products = isFields(detail) ? fieldOf(detail, ['products']) : undefined
  const items = fieldOf(push, ['event']) === 'view_item' ? fieldOf(commerce, ['items']) : undefined
  return listOf(products ?? items).filter(isFields)
}
