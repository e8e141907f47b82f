// A client of a relay and a DHT, behind whatever.
//
//   node client.js --server ADDR --dht PROTOCOL --provide WORD    reserves at the server, announces itself as a provider
//   node client.js --server ADDR --dht PROTOCOL --find WORD       finds a provider, connects to it and pings it
//
// Prints 'provided ADDR', or 'reached ADDR'; ends with its standard input.
import { arguments_, host } from './host.js'
import { circuitRelayTransport } from '@libp2p/circuit-relay-v2'
import { multiaddr } from '@multiformats/multiaddr'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256 } from 'multiformats/hashes/sha2'

const { server, dht, provide, find } = arguments_({ server: '', dht: '', provide: '', find: '' })
const key = async (word) => CID.createV1(raw.code, await sha256.digest(new TextEncoder().encode(word)))
const client = await host({
  listen: provide === '' ? [] : [`${server}/p2p-circuit`],
  dht: { protocol: dht, clientMode: true },
  transports: [circuitRelayTransport()]
})
await client.dial(multiaddr(server))

if (provide !== '') {
  const relayed = await reservation()
  for await (const event of client.services.dht.provide(await key(provide))) {
    if (event.name === 'QUERY_ERROR') console.error(event)
  }
  console.log(`provided ${relayed}`)
} else {
  const [provider] = await providers(await key(find))
  const relayed = provider.multiaddrs.find((address) => address.toString().includes('p2p-circuit'))
  const connection = await client.dial(relayed ?? provider.id)
  await client.services.ping.ping(provider.id)
  console.log(`reached ${connection.remoteAddr}`)
}
process.stdin.on('end', () => process.exit(0)).resume()

// The relayed address of this client, once the server has given it a slot.
async function reservation () {
  for (;;) {
    const relayed = client.getMultiaddrs().find((address) => address.toString().includes('p2p-circuit'))
    if (relayed !== undefined) return relayed
    await new Promise((resolve) => client.addEventListener('self:peer:update', resolve, { once: true }))
  }
}

async function providers (cid) {
  for await (const event of client.services.dht.findProviders(cid)) {
    if (event.name === 'PROVIDER' && event.providers.length > 0) return event.providers
  }
  throw new Error('no provider')
}
