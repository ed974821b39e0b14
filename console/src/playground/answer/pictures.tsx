import { Address } from './address.tsx'

/** Screenshots, which the service keeps itself; a picture from elsewhere is not loaded. */
export function Pictures({ addresses }: { addresses: string[] }) {
  return (
    <div className="pictures">
      {addresses.map((address, index) => {
        const own = ownAddress(address)
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

/** A file of the service is asked for where this page came from, whatever name the service has elsewhere. */
function ownAddress(address: string): string | undefined {
  if (address.startsWith('data:image/')) return address
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.pathname.startsWith('/v2/files/') ? url.pathname + url.search : undefined
}
