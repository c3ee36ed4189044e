/** What pages of mechanisms in space have besides: it waits for the page to ask for it. */
import { SpaceView, type Host } from "./view";

Object.assign(globalThis, { caromSpace: (host: Host) => new SpaceView(host) });
