/** The picture of a symbol. */
import { useEffect, useState } from "preact/hooks";
import { pictureOf } from "./symbols.ts";

export const Picture = ({ symbol }: { readonly symbol: string }) => {
  const [url, setUrl] = useState("");
  useEffect(() => {
    void pictureOf(symbol).then(setUrl);
  }, [symbol]);
  return url === "" ? <span class="picture" /> : <img class="picture" src={url} alt="" draggable={false} />;
};
