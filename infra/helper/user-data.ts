/**
 * What the helper machine does at its first start: it installs GNS3's packages (ppa:gns3/ppa) over IPv6, and starts the server as a service that
 * reads its password from Secrets Manager whenever it starts. /var/log/cloud-init-output.log on the machine has the output.
 */
import { UserData } from "aws-cdk-lib/aws-ec2";

/** The key of ppa:gns3/ppa, as Launchpad shows it. */
const PPA_KEY = "F88F6D313016330404F710FC9A2FD067A2E3EF7B";

export interface Server {
  readonly secretName: string;
  readonly region: string;
  readonly user: string;
  readonly port: number;
}

const settingsScript = ({ secretName, region, user, port }: Server): string => `#!/usr/bin/python3
import boto3, os
from botocore.config import Config

client = boto3.client("secretsmanager", region_name="${region}", config=Config(use_dualstack_endpoint=True))
password = client.get_secret_value(SecretId="${secretName}")["SecretString"]
os.umask(0o077)
with open("/etc/gns3/gns3_server.conf", "w") as file:
    file.write(f"""[Server]
host = 0.0.0.0
port = ${port}
auth = True
user = ${user}
password = {password}
images_path = /opt/gns3/images
projects_path = /opt/gns3/projects
configs_path = /opt/gns3/configs
appliances_path = /opt/gns3/appliances
report_errors = False

[Qemu]
enable_kvm = True
require_kvm = False
""")
os.chown("/etc/gns3/gns3_server.conf", int(os.environ["GNS3_UID"]), -1)`;

const UNIT = `[Unit]
Description=GNS3 server
After=network-online.target docker.service
Wants=network-online.target

[Service]
User=gns3
AmbientCapabilities=CAP_NET_BIND_SERVICE
RuntimeDirectory=gns3
ExecStartPre=+/bin/sh -c 'GNS3_UID=$(id -u gns3) exec /usr/local/sbin/wirelab-gns3-settings'
ExecStart=/usr/bin/gns3server --config /etc/gns3/gns3_server.conf
Restart=always
RestartSec=5
LimitNOFILE=16384

[Install]
WantedBy=multi-user.target`;

const write = (path: string, mode: string, content: string): string[] => [
  `cat > ${path} <<'WIRELAB_END'\n${content}\nWIRELAB_END`,
  `chmod ${mode} ${path}`,
];

export function serverUserData(server: Server): UserData {
  const data = UserData.forLinux();
  data.addCommands(
    "set -euo pipefail",
    "export DEBIAN_FRONTEND=noninteractive",
    // The machine has IPv6 alone to the internet.
    `echo 'Acquire::ForceIPv6 "true";' > /etc/apt/apt.conf.d/99wirelab`,
    "sed -i 's/[a-z0-9.-]*\\.ec2\\.archive\\.ubuntu\\.com/archive.ubuntu.com/' /etc/apt/sources.list.d/ubuntu.sources",
    `curl -fsS --retry 5 'https://keyserver.ubuntu.com/pks/lookup?op=get&search=0x${PPA_KEY}' > /tmp/gns3.asc`,
    `gpg --show-keys --with-colons /tmp/gns3.asc | grep -q '^fpr:*${PPA_KEY}:'`,
    "gpg --dearmor < /tmp/gns3.asc > /usr/share/keyrings/gns3.gpg",
    `echo "deb [signed-by=/usr/share/keyrings/gns3.gpg] https://ppa.launchpadcontent.net/gns3/ppa/ubuntu $(lsb_release -cs) main" > /etc/apt/sources.list.d/gns3.list`,
    "echo 'ubridge ubridge/install-setuid boolean true' | debconf-set-selections",
    "apt-get update",
    "apt-get install -y gns3-server docker.io qemu-system-x86 qemu-utils python3-boto3",
    "id gns3 || useradd --system --create-home --home-dir /opt/gns3 gns3",
    "for group in ubridge kvm docker; do getent group $group && usermod -aG $group gns3; done",
    "install -d -o gns3 /etc/gns3",
    ...write("/usr/local/sbin/wirelab-gns3-settings", "755", settingsScript(server)),
    ...write("/etc/systemd/system/wirelab-gns3.service", "644", UNIT),
    "systemctl daemon-reload",
    "systemctl enable --now wirelab-gns3.service",
  );
  return data;
}
