"""A day's work with gns3fy: calls every public method and checks what it returns.

Usage: gns3fy_day.py URL [USER PASSWORD], with gns3fy on PYTHONPATH.
Prints one JSON object a line: {"step": name, "fault": null or text}. A step that fails does not end the script.
"""

import contextlib
import io
import json
import sys
import tempfile
import traceback
import uuid

from gns3fy import Gns3Connector, Link, Node, Project
from gns3fy.drawing_utils import generate_ellipse_svg, generate_rectangle_svg

SVG = generate_rectangle_svg()
URL, *CREDENTIALS = sys.argv[1:]
STEPS = []


def step(work):
    STEPS.append(work)
    return work


def expect(found, wanted, what="value"):
    assert found == wanted, f"{what} is {found!r}, not {wanted!r}"


class Day:
    def __init__(self):
        user, password = CREDENTIALS or (None, None)
        self.server = Gns3Connector(URL, user=user, cred=password)
        self.mark = uuid.uuid4().hex[:8]
        self.name = f"gns3fy-{self.mark}"


# The connector


@step
def get_version(day):
    assert day.server.get_version()["version"].startswith("2.2.")


@step
def get_computes(day):
    assert "local" in [compute["compute_id"] for compute in day.server.get_computes()]


@step
def get_compute(day):
    expect(day.server.get_compute("local")["compute_id"], "local")


@step
def get_compute_ports(day):
    assert isinstance(day.server.get_compute_ports("local")["console_port_range"], list)


@step
def get_compute_images(day):
    for emulator in ("qemu", "iou", "dynamips"):
        assert isinstance(day.server.get_compute_images(emulator), list)


@step
def get_templates(day):
    assert {"VPCS", "Ethernet switch", "Ethernet hub", "Cloud", "NAT"} <= {
        template["name"] for template in day.server.get_templates()
    }


@step
def templates_summary(day):
    summary = day.server.templates_summary(is_print=False)
    assert ("VPCS", "vpcs") in [(name, kind) for name, _, kind, *_ in summary], summary


@step
def get_template(day):
    by_name = day.server.get_template(name="VPCS")
    expect(day.server.get_template(template_id=by_name["template_id"]), by_name)
    expect(day.server.get_template(name="no such template"), None)


@step
def create_template(day):
    made = day.server.create_template(
        name=f"Host {day.mark}", template_type="vpcs", default_name_format="Host{0}"
    )
    expect(made["builtin"], False)
    expect(made["category"], "guest")


@step
def update_template(day):
    name = f"Host {day.mark}"
    day.server.update_template(name=name, default_name_format="Desk{0}")
    expect(day.server.get_template(name=name)["default_name_format"], "Desk{0}")


@step
def create_project(day):
    made = day.server.create_project(name=f"{day.name}-plain")
    day.plain_id = made["project_id"]
    expect(made["status"], "opened")


@step
def get_projects(day):
    assert day.plain_id in [project["project_id"] for project in day.server.get_projects()]


@step
def get_project(day):
    expect(day.server.get_project(project_id=day.plain_id)["name"], f"{day.name}-plain")
    expect(day.server.get_project(name=f"{day.name}-plain")["project_id"], day.plain_id)


@step
def projects_summary(day):
    summary = {row[1]: row for row in day.server.projects_summary(is_print=False)}
    expect(summary[day.plain_id][2:], (0, 0, "opened"))


@step
def delete_project(day):
    day.server.delete_project(day.plain_id)
    assert day.plain_id not in [project["project_id"] for project in day.server.get_projects()]


# A project


@step
def project_create(day):
    day.project = Project(name=day.name, connector=day.server, auto_close=False)
    day.project.create()
    expect(day.project.status, "opened")


@step
def project_get(day):
    day.project.get()
    expect(day.project.stats["nodes"], 0)


@step
def project_update(day):
    day.project.update(scene_width=3000, grid_size=50)
    expect((day.project.scene_width, day.project.grid_size), (3000, 50))


@step
def project_create_node(day):
    for name, template in (
        ("PC1", "VPCS"),
        ("PC2", "VPCS"),
        ("SW1", "Ethernet switch"),
        ("HUB1", "Ethernet hub"),
        ("Desk1", f"Host {day.mark}"),
    ):
        day.project.create_node(name=name, template=template, x=100, y=-50)
    expect([node.name for node in day.project.nodes], ["PC1", "PC2", "SW1", "HUB1", "Desk1"])
    expect(day.project.get_node(name="PC1").x, 100)


@step
def every_template_that_runs(day):
    templates = [t for t in day.server.get_templates() if t["builtin"]]
    for template in templates:
        if template["template_type"] in ("frame_relay_switch", "atm_switch"):
            continue
        node = Node(project_id=day.project.project_id, connector=day.server, template=template["name"])
        node.create()
        node.get()
        node.delete()


@step
def project_get_nodes(day):
    day.project.get_nodes()
    expect(len(day.project.nodes), 5)


@step
def project_get_node(day):
    node = day.project.get_node(name="PC2")
    expect(day.project.get_node(node_id=node.node_id).name, "PC2")


@step
def project_create_link(day):
    day.project.create_link("PC1", "Ethernet0", "SW1", "Ethernet0")
    day.project.create_link("PC2", "Ethernet0", "SW1", "Ethernet1")
    day.project.create_link("SW1", "Ethernet2", "HUB1", "Ethernet0")
    expect(len(day.project.links), 3)


@step
def project_get_links(day):
    day.project.get_links()
    expect(len(day.project.links), 3)


@step
def project_get_link(day):
    link = day.project.links[0]
    expect(day.project.get_link(link.link_id).link_id, link.link_id)


@step
def project_get_stats(day):
    day.project.get_stats()
    expect((day.project.stats["nodes"], day.project.stats["links"]), (5, 3))


@step
def link_get(day):
    link = Link(
        connector=day.server, project_id=day.project.project_id, link_id=day.project.links[0].link_id
    )
    link.get()
    expect(len(link.nodes), 2)
    day.link = link


@step
def link_update(day):
    day.link.update(filters={"delay": [10, 5], "packet_loss": [1]}, suspend=True)
    day.link.get()
    expect(day.link.filters, {"delay": [10, 5], "packet_loss": [1]})
    expect(day.link.suspend, True)
    day.link.update(filters={}, suspend=False)
    expect(day.link.filters, {})


@step
def node_get(day):
    node = Node(connector=day.server, project_id=day.project.project_id, name="PC1")
    node.get()
    expect(len(node.ports), 1)
    day.node = node


@step
def node_get_links(day):
    day.node.get_links()
    expect(len(day.node.links), 1)


@step
def node_start(day):
    day.node.start()
    day.node.get()
    expect(day.node.status, "started")
    assert isinstance(day.node.console, int), day.node.console


@step
def node_reload(day):
    day.node.reload()
    day.node.get()
    expect(day.node.status, "started")


@step
def node_suspend(day):
    day.node.suspend()


@step
def node_stop(day):
    day.node.stop()
    day.node.get()
    expect(day.node.status, "stopped")


@step
def node_update(day):
    day.node.update(name="Laptop1", x=7, y=-7)
    day.node.get()
    expect((day.node.name, day.node.x, day.node.y), ("Laptop1", 7, -7))
    day.node.update(name="PC1")


@step
def node_files(day):
    day.node.write_file(path="startup.vpc", data="set pcname PC1\nip 10.0.0.1/24\n")
    assert "10.0.0.1/24" in day.node.get_file("startup.vpc")


@step
def project_files(day):
    day.project.write_file(path="README.txt", data="A lab of gns3fy\n")
    expect(day.project.get_file("README.txt"), "A lab of gns3fy\n")


@step
def project_start_nodes(day):
    day.project.start_nodes(poll_wait_time=0)
    expect({node.status for node in day.project.nodes}, {"started"})


@step
def project_reload_nodes(day):
    day.project.reload_nodes(poll_wait_time=0)
    expect({node.status for node in day.project.nodes}, {"started"})


@step
def project_nodes_summary(day):
    rows = day.project.nodes_summary(is_print=False)
    assert ("PC1", "started") in [(name, status) for name, status, *_ in rows], rows


@step
def project_nodes_inventory(day):
    inventory = day.project.nodes_inventory()
    assert isinstance(inventory["PC1"]["console_port"], int), inventory["PC1"]
    assert inventory["PC1"]["server"], inventory["PC1"]


@step
def project_links_summary(day):
    rows = day.project.links_summary(is_print=False)
    expect(len(rows), 3)
    assert ("PC1", "Ethernet0", "SW1", "Ethernet0") in rows, rows


@step
def project_suspend_nodes(day):
    day.project.suspend_nodes(poll_wait_time=0)


@step
def project_stop_nodes(day):
    day.project.stop_nodes(poll_wait_time=0)
    expect(day.project.get_node(name="PC1").status, "stopped")


@step
def drawings(day):
    day.project.get_drawings()
    day.project.create_drawing(SVG, x=-20, y=30)
    drawing = day.project.drawings[0]
    ellipse = generate_ellipse_svg()
    changed = day.project.update_drawing(drawing["drawing_id"], svg=ellipse, x=40)
    expect((changed["x"], changed["y"]), (40, 30))
    expect(day.project.get_drawing(drawing["drawing_id"])["svg"], ellipse)


@step
def create_snapshot(day):
    day.project.create_snapshot("morning")
    expect(day.project.get_snapshot(name="morning")["name"], "morning")


@step
def restore_snapshot(day):
    day.project.delete_drawing(day.project.drawings[0]["drawing_id"])
    day.project.get_node(name="HUB1").delete()
    day.project.restore_snapshot("morning")
    day.project.get_drawings()
    expect(len(day.project.drawings), 1)
    expect(sorted(node.name for node in day.project.nodes), ["Desk1", "HUB1", "PC1", "PC2", "SW1"])
    expect(len(day.project.links), 3)


@step
def delete_snapshot(day):
    day.project.delete_snapshot("morning")
    expect(day.project.snapshots, [])


@step
def delete_drawing(day):
    day.project.delete_drawing(day.project.drawings[0]["drawing_id"])
    expect(day.project.drawings, [])


@step
def arrange_nodes_circular(day):
    day.project.arrange_nodes_circular(radius=200)
    expect((day.project.nodes[0].x, day.project.nodes[0].y), (0, -200))


@step
def project_delete_link(day):
    day.project.delete_link("PC2", "Ethernet0", "SW1", "Ethernet1")
    expect(len(day.project.links), 2)


@step
def link_create_and_delete(day):
    ends = [day.project.get_node(name=name) for name in ("PC2", "SW1")]
    nodes = [
        {"node_id": node.node_id, "adapter_number": 0, "port_number": port}
        for node, port in zip(ends, (0, 5))
    ]
    link = Link(connector=day.server, project_id=day.project.project_id, nodes=nodes)
    link.create()
    link.delete()


@step
def node_delete(day):
    day.project.get_node(name="Desk1").delete()
    day.project.get_nodes()
    assert "Desk1" not in [node.name for node in day.project.nodes]


@step
def upload_compute_image(day):
    """This service runs no images: it must refuse the upload with words, not with a server error."""
    with tempfile.NamedTemporaryFile(suffix=".img") as image:
        image.write(b"image")
        image.flush()
        try:
            day.server.upload_compute_image("qemu", image.name)
        except Exception as refusal:
            assert str(refusal).startswith("4"), refusal


@step
def project_close_and_open(day):
    day.project.close()
    expect(day.project.status, "closed")
    day.project.open()
    expect(day.project.status, "opened")


@step
def project_delete(day):
    project_id = day.project.project_id
    day.project.delete()
    assert project_id not in [project["project_id"] for project in day.server.get_projects()]


@step
def delete_template(day):
    day.server.delete_template(name=f"Host {day.mark}")
    expect(day.server.get_template(name=f"Host {day.mark}"), None)


def main():
    day = Day()
    for work in STEPS:
        fault = None
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                work(day)
        except Exception as error:
            fault = f"{type(error).__name__}: {error}" or traceback.format_exc()
        print(json.dumps({"step": work.__name__, "fault": fault}))


main()
