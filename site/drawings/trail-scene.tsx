import { CameraPhone } from "./camera-phone";
import { Deer } from "./deer";
import { ForestLayers } from "./forest-layers";
import styles from "./trail-scene.module.css";

/** The parts are placed one by one, so that each window shows all animals. */
export function TrailScene() {
  return (
    <div className={styles.trail}>
      <ForestLayers />
      <Deer />
      <CameraPhone />
    </div>
  );
}
