import { ownFile } from '../../ui/own-file.ts'
import { Address } from './url-link.tsx'

/** Screenshots, which the service keeps itself; a picture from elsewhere is not loaded. */
export function Screenshots({ addresses }: { addresses: string[] }) {
  return (
    <div className="pictures">
      {addresses.map((address, index) => {
        const own = ownFile(address)
        const name = addresses.length === 1 ? 'Screenshot of the page' : `Screenshot ${index + 1}`
        return own === undefined ? (
          <Address key={address} url={address}>
            {name}
          </Address>
        ) : (
          <a key={address} href={own} target="_blank" rel="noopener noreferrer">
            <img src={own} alt={name} />
          </a>
        )
      })}
    </div>
  )
}
